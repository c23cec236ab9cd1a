// The bar above a code block: its language, copy, insert at the cursor, new file.
import { h, iconButton } from '../dom';
import { post } from '../host';

/** Puts the bar above a block; without a parent it stays in its fragment. */
export function codeBar(pre: HTMLElement): void {
  const language = pre.dataset['language'] ?? '';
  const act = (action: 'copy' | 'insert' | 'create') => (): void => post({ type: 'code', action, text: pre.textContent ?? '', language });
  const copy = iconButton('copy', 'Copy', () => {
    act('copy')();
    copy.firstElementChild?.classList.replace('codicon-copy', 'codicon-check');
    setTimeout(() => copy.firstElementChild?.classList.replace('codicon-check', 'codicon-copy'), 1200);
  }, 'code-copy');
  const bar = h('div', { class: 'code-bar' },
    h('span', { class: 'code-language' }, language),
    copy,
    iconButton('insert', 'Insert at cursor', act('insert'), 'code-insert'),
    iconButton('new-file', 'New file with this', act('create'), 'code-create'),
  );
  const box = h('div', { class: 'code-box' });
  pre.replaceWith(box);
  pre.tabIndex = 0;
  box.append(bar, pre);
}
