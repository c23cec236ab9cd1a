// What the person said, with a way to say it again.
import type { UserItem } from '../../src/shared/items';
import { h, icon, iconButton } from '../dom';
import type { ItemView } from './item';

/** Shows a message of the person's. */
export function userView(item: UserItem, edit: (text: string) => void): ItemView<UserItem> {
  const chips = item.attachments.map((a) => h('span', { class: 'chip', title: a.detail ?? a.label }, icon(a.icon), a.label));
  const element = h('article', { class: 'item user', label: 'You', testid: 'user' },
    h('div', { class: 'user-text' }, item.text),
    chips.length > 0 && h('div', { class: 'chips' }, ...chips),
    h('div', { class: 'item-actions' }, iconButton('edit', 'Edit and send again', () => edit(item.text), 'edit-message')),
  );
  return { element, update: () => undefined };
}
