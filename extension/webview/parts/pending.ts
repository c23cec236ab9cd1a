// The messages that wait while a turn runs, above the input box.
import type { PendingLabel } from '../../src/shared/items';
import { h, icon, iconButton } from '../dom';
import { post } from '../host';

/** Shows what waits. */
export class PendingList {
  readonly element = h('ul', { class: 'pending', label: 'Messages that wait', hidden: true, testid: 'pending' });
  private shown = '';

  /** Shows this list; the same list again is left alone, and with it the focus. */
  update(list: PendingLabel[]): void {
    const key = JSON.stringify(list);
    if (key !== this.shown) {
      this.shown = key;
      this.element.hidden = list.length === 0;
      this.element.replaceChildren(...list.map(row));
    }
  }
}

function row(waiting: PendingLabel): HTMLElement {
  const act = (action: 'remove' | 'edit' | 'steer') => (): void => post({ type: 'pending', id: waiting.id, action });
  return h('li', { class: 'pending-row', testid: waiting.steering ? 'steering' : 'queued', title: waiting.text },
    icon(waiting.steering ? 'arrow-circle-up' : 'clockface'),
    h('span', { class: 'pending-what' }, waiting.steering ? 'Next step' : 'Queued'),
    h('span', { class: 'pending-text' }, waiting.text),
    waiting.attachments > 0 && h('span', { class: 'pending-what' }, icon('attach'), String(waiting.attachments)),
    !waiting.steering && iconButton('arrow-up', 'Send it into the running turn', act('steer'), 'queued-steer'),
    iconButton('edit', 'Edit', act('edit'), waiting.steering ? 'steering-edit' : 'queued-edit'),
    iconButton('close', 'Remove', act('remove'), waiting.steering ? 'steering-remove' : 'queued-remove'),
  );
}
