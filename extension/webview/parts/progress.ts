// Above the input box: the agent's plan, what it is doing, and what it has used.
import type { PlanEntry } from '../../src/protocol';
import type { ChatState } from '../../src/shared/messages';
import { h, icon } from '../dom';

const planIcons: Record<PlanEntry['status'], string> = { pending: 'circle-large-outline', in_progress: 'arrow-circle-right', completed: 'pass-filled' };

/** Shows plan, activity and usage. */
export class Progress {
  private readonly planTitle = h('span', {});
  private readonly planList = h('ol', { class: 'plan-list' });
  private readonly plan = h('details', { class: 'plan', hidden: true, testid: 'plan', attributes: { open: '' } }, h('summary', {}, icon('checklist'), this.planTitle), this.planList);
  private readonly activity = h('span', { class: 'activity', testid: 'activity', attributes: { 'aria-live': 'polite' } });
  private readonly usage = h('span', { class: 'usage', testid: 'usage' });
  readonly element = h('div', { class: 'progress' }, this.plan, h('div', { class: 'progress-line' }, this.activity, h('span', { class: 'space' }), this.usage));

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
    const u = state.usage;
    this.usage.textContent = u ? `${short(u.request.inputTokens)} tokens in context` : '';
    this.usage.title = u
      ? `Last request: ${u.request.inputTokens} in, ${u.request.outputTokens} out. Session: ${u.session.inputTokens} in (${u.session.cachedTokens ?? 0} from the cache), ${u.session.outputTokens} out.`
      : '';
  }
}

/** 1234 as 1.2k. */
function short(n: number): string {
  return n < 1000 ? String(n) : n < 1e6 ? `${(n / 1000).toFixed(n < 10_000 ? 1 : 0)}k` : `${(n / 1e6).toFixed(1)}M`;
}
