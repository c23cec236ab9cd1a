// May this call run? The card with the command or the files, and the answers.
import type { ConfirmItem } from '../../src/shared/items';
import { button, h, icon } from '../dom';
import { post } from '../host';
import { diffLines } from '../parts/diff';
import type { ItemView } from './item';

type Decision = 'allow' | 'allowSession' | 'reject' | 'abort';

/** Shows a confirmation. */
export function confirmView(first: ConfirmItem, onGrow: () => void): ItemView<ConfirmItem> {
  const element = h('section', { class: 'item card confirm', testid: 'confirm' });
  // It outlives what else is made anew when a file is decided or has changed: somebody may be typing in it.
  const instead = feedback(first.id);
  const update = (item: ConfirmItem): void => {
    element.classList.toggle('open', item.outcome === undefined);
    element.setAttribute('aria-label', item.outcome === undefined ? `The agent asks: ${item.title}` : item.title);
    if (item.outcome === undefined) {
      const focused = instead.contains(document.activeElement) ? document.activeElement : undefined;
      element.replaceChildren(...question(item, instead));
      if (focused instanceof HTMLElement) {
        focused.focus({ preventScroll: true });
      }
    } else {
      const allowed = item.outcome.startsWith('Allowed');
      element.replaceChildren(h('div', { class: 'card-closed', title: item.outcome }, icon(allowed ? 'pass' : 'circle-slash'), h('span', { class: 'outcome', testid: 'confirm-outcome' }, item.outcome)));
    }
    onGrow();
  };
  update(first);
  return { element, update };
}

function question(item: ConfirmItem, instead: Node): Node[] {
  const decide = (decision: Decision, extra: { grantId?: string } = {}) => (): void => post({ type: 'confirm', id: item.id, decision, ...extra });
  return [
    h('div', { class: 'card-title' }, icon(item.level === 'dangerous' ? 'warning' : item.command ? 'terminal' : 'edit'), h('span', {}, item.command ? 'Run this command?' : item.title)),
    ...(item.agent ? [h('div', { class: 'card-reason', testid: 'confirm-agent' }, `A subagent asks: ${item.agent}`)] : []),
    ...(item.reason ? [h('div', { class: 'card-reason' }, item.reason)] : []),
    ...(item.warning ? [h('div', { class: 'card-warning', role: 'alert', testid: 'confirm-warning' }, icon('warning'), h('span', {}, item.warning))] : []),
    ...(item.command ? [h('pre', { class: 'command', label: 'Command', testid: 'confirm-command', attributes: { tabindex: '0' } }, item.command.command), h('div', { class: 'card-folder', title: item.command.cwd }, icon('folder'), h('span', {}, item.command.cwd))] : []),
    ...(item.input ? [h('pre', { class: 'command' }, item.input)] : []),
    ...files(item),
    h('div', { class: 'buttons' },
      button(item.files.length > 1 ? 'Accept all' : item.files.length === 1 ? 'Accept' : 'Allow', decide('allow'), { icon: 'check', testid: 'allow', title: item.files.length > 0 ? 'Write what stands in the diff' : 'Run it' }),
      button(item.files.length > 1 ? 'Reject all' : 'Reject', decide('reject'), { secondary: true, testid: 'reject' }),
    ),
    ...(item.grants.length > 0 ? [h('div', { class: 'grants' }, ...item.grants.map((g) => h('button', { class: 'link', testid: 'grant', title: `Allow this, and ${g.label} for the rest of this session`, attributes: { type: 'button' }, on: { click: decide('allowSession', { grantId: g.id }) } }, `Always: ${g.label}`)))] : []),
    h('div', { class: 'more-buttons' },
      instead,
      ...(item.canAbort ? [h('button', { class: 'link', testid: 'abort', attributes: { type: 'button' }, on: { click: decide('abort') } }, 'Reject and stop')] : []),
    ),
  ];
}

function files(item: ConfirmItem): Node[] {
  const rows: Node[] = item.files.map((file, i) => {
    const name = h('button', { class: 'link', title: `Open the diff of ${file.path}`, testid: 'open-diff', attributes: { type: 'button' }, on: { click: () => post({ type: 'review', id: item.id, file: i }) } }, file.path);
    const summary = h('summary', {}, icon(file.op === 'create' ? 'diff-added' : 'diff-modified'), name, h('span', { class: 'plus' }, `+${file.added}`), h('span', { class: 'minus' }, `−${file.removed}`),
      file.settled && h('span', { class: 'settled', testid: 'file-settled' }, icon(file.settled === 'accepted' ? 'pass' : 'circle-slash'), file.settled));
    return h('details', { class: 'review-file' }, summary, diffLines(file.diff));
  });
  if (rows.length > 1) {
    rows.push(button('Review all in one view', () => post({ type: 'review', id: item.id, file: 'all' }), { secondary: true, icon: 'diff-multiple', testid: 'open-all' }));
  }
  return rows;
}

/** A link that becomes a field: what should be done instead? */
function feedback(id: string): HTMLElement {
  const box = h('span', { class: 'feedback' });
  const open = h('button', { class: 'link', testid: 'feedback', attributes: { type: 'button' } }, 'Reject with feedback…');
  open.addEventListener('click', () => {
    const field = h('textarea', { class: 'field', label: 'What should be done instead?', testid: 'feedback-text', attributes: { rows: '2', placeholder: 'What should be done instead? Enter sends it.' } });
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        post({ type: 'confirm', id, decision: 'reject', feedback: field.value.trim() });
      } else if (event.key === 'Escape') {
        box.replaceChildren(open);
        open.focus();
      }
    });
    box.replaceChildren(field);
    field.focus();
  });
  box.append(open);
  return box;
}
