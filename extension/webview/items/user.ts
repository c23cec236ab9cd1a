// What the person said, with a way to say it again or otherwise.
import type { UserItem } from '../../src/shared/items';
import { h, icon, iconButton } from '../dom';
import { post } from '../host';
import type { ItemView } from './item';

/** Shows a message of the person's. */
export function userView(item: UserItem): ItemView<UserItem> {
  const chips = item.attachments.map((a) => h('span', { class: 'chip', title: a.detail ?? a.label }, icon(a.icon), h('span', {}, a.label)));
  const fork = iconButton('repo-forked', 'Copy the chat up to here', () => post({ type: 'fork', id: item.id }), 'fork-message');
  const element = h('article', { class: 'item user', label: 'You', testid: 'user' },
    h('div', { class: 'user-text' }, item.text),
    chips.length > 0 && h('div', { class: 'chips' }, ...chips),
    h('div', { class: 'item-actions' }, iconButton('edit', 'Edit and send again', () => post({ type: 'edit', id: item.id }), 'edit-message'), fork),
  );
  // A copy ends with a turn: one that is known.
  const update = (next: UserItem): void => {
    fork.hidden = next.turnId === undefined;
  };
  update(item);
  return { element, update };
}
