// Notices, and the end of a turn.
import type { EndItem, NoticeItem } from '../../src/shared/items';
import { h, icon } from '../dom';
import { post } from '../host';
import type { ItemView } from './item';

const icons = { info: 'info', warning: 'warning', error: 'error' };

function link(label: string, onClick: () => void, testid?: string): HTMLElement {
  return h('button', { class: 'link', testid, attributes: { type: 'button' }, on: { click: onClick } }, label);
}

/** Shows a notice. */
export function noticeView(first: NoticeItem): ItemView<NoticeItem> {
  const actions = h('div', {});
  const element = h('div', { class: `item notice ${first.level}`, role: first.level === 'error' ? 'alert' : 'status', testid: 'notice' },
    icon(icons[first.level]),
    h('div', {}, h('div', { class: 'notice-text' }, first.text), actions),
  );
  // The text stays as it is: a screen reader would say it once more.
  const update = (item: NoticeItem): void => {
    actions.replaceChildren(...(item.actions ?? []).map((a) => link(a.label, () => post({ type: 'notice', action: a.action }))));
  };
  update(first);
  return { element, update };
}

/** Shows how a turn ended, which files it changed, and the way back. */
export function endView(item: EndItem): ItemView<EndItem> {
  const retry = link('Try again', () => post({ type: 'notice', action: 'retry' }), 'retry');
  const files = item.changed.map((path) => link(path.split(/[\\/]/).pop() ?? path, () => post({ type: 'openFile', path })));
  const element = h('div', { class: `item end ${item.level}`, testid: 'turn-end' },
    !!item.text && h('div', { class: 'notice' }, icon(icons[item.level]), h('span', {}, item.text)),
    files.length > 0 && h('div', { class: 'changed' }, icon('diff'), `${files.length === 1 ? '1 file' : `${files.length} files`} changed:`, ...files, link('Undo', () => post({ type: 'undo', turnId: item.turnId }), 'undo')),
    item.wantsKey && link('Enter an API key', () => post({ type: 'notice', action: 'setKey' }), 'enter-key'),
    retry,
  );
  const update = (next: EndItem): void => {
    retry.hidden = !next.retryable;
  };
  update(item);
  return { element, update };
}
