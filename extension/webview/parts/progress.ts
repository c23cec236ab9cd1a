// Above the input box: the agent's plan, what it is doing, and how full its context is.
import type { Step } from '../../src/protocol';
import type { ChatState } from '../../src/shared/messages';
import { h, icon } from '../dom';
import { Meter } from './meter';

const planIcons: Record<Step['status'], string> = { pending: 'circle-large-outline', in_progress: 'arrow-circle-right', completed: 'pass-filled' };

/** Shows plan, activity and usage. */
export class Progress {
  private readonly planTitle = h('span', {});
  private readonly planList = h('ol', { class: 'plan-list' });
  private readonly plan = h('details', { class: 'plan', hidden: true, testid: 'plan', attributes: { open: '' } }, h('summary', {}, icon('checklist'), this.planTitle), this.planList);
  private readonly activity = h('span', { class: 'activity', testid: 'activity', attributes: { 'aria-live': 'polite' } });
  private readonly meter = new Meter();
  readonly element = h('div', { class: 'progress' }, this.plan, h('div', { class: 'progress-line' }, this.activity, h('span', { class: 'space' }), this.meter.element));

  /** Takes the chat's state over. */
  update(state: ChatState): void {
    const done = state.plan.filter((e) => e.status === 'completed').length;
    this.plan.hidden = state.plan.length === 0;
    this.planTitle.textContent = `Plan: ${done} of ${state.plan.length} done`;
    this.planList.replaceChildren(...state.plan.map((e) => h('li', { class: e.status }, icon(planIcons[e.status]), h('span', {}, e.content), h('span', { class: 'sr-only' }, e.status.replace('_', ' ')))));
    const words = { idle: '', running: 'Working…', waiting: 'Waiting for you' }[state.activity];
    if (this.activity.textContent !== words) {
      this.activity.replaceChildren(words);
    }
    this.activity.className = `activity ${state.activity}`;
    this.meter.update(state.usage);
  }
}
