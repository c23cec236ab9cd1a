// How full the model's context is.
import type { UsageEvent } from '../../src/protocol';
import { h } from '../dom';

/** Shows a small bar and a percentage, or the tokens where the size is not known. */
export class Meter {
  private readonly fill = h('span', { class: 'meter-fill' });
  private readonly bar = h('span', { class: 'meter-bar', attributes: { 'aria-hidden': 'true' } }, this.fill);
  private readonly text = h('span', {});
  readonly element = h('span', { class: 'usage', testid: 'usage', hidden: true }, this.bar, this.text);

  /** Takes the last usage over. */
  update(u: UsageEvent | undefined): void {
    this.element.hidden = u === undefined;
    if (!u) {
      return;
    }
    const used = u.contextTokens ?? u.request.inputTokens;
    const room = u.contextWindow ?? 0;
    const part = room > 0 ? Math.min(1, used / room) : 0;
    this.bar.hidden = room === 0;
    this.fill.style.width = `${Math.round(part * 100)}%`;
    this.element.classList.toggle('high', part > 0.8);
    this.text.textContent = room > 0 ? `${Math.round(part * 100)}%` : `${short(used)} tokens`;
    this.element.title = [
      room > 0 ? `Context: ${used.toLocaleString('en')} of ${room.toLocaleString('en')} tokens. When it is full, earlier parts are summarised; /compact does it now.` : `Context: ${used.toLocaleString('en')} tokens.`,
      `Last request: ${u.request.inputTokens} in, ${u.request.outputTokens} out.`,
      `Chat: ${u.session.inputTokens} in (${u.session.cachedTokens ?? 0} from the cache), ${u.session.outputTokens} out.`,
      ...(u.cost?.session ? [`Cost of the chat: ${u.cost.session.toFixed(u.cost.session < 1 ? 4 : 2)}`] : []),
    ].join('\n');
    this.element.setAttribute('aria-label', room > 0 ? `${Math.round(part * 100)} percent of the context used` : `${used} tokens in context`);
    this.element.setAttribute('role', 'img');
  }
}

/** 1234 as 1.2k. */
function short(n: number): string {
  return n < 1000 ? String(n) : n < 1e6 ? `${(n / 1000).toFixed(n < 10_000 ? 1 : 0)}k` : `${(n / 1e6).toFixed(1)}M`;
}
