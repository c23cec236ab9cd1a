// A tool call: what, where, how it goes, and its output when it is unfolded.
import type { ToolItem } from '../../src/shared/items';
import { h, icon } from '../dom';
import { post } from '../host';
import { diffLines } from '../parts/diff';
import type { ItemView } from './item';

const kindIcons: Record<ToolItem['toolKind'], string> = {
  read: 'file', edit: 'edit', delete: 'trash', move: 'file-symlink-file', search: 'search', execute: 'terminal', think: 'lightbulb', fetch: 'globe', other: 'tools',
};
const statusNames: Record<ToolItem['status'], string> = { pending: 'waiting', in_progress: 'running', completed: 'done', failed: 'failed' };

/** A live output in the page is cut to its end; the terminal and the result have it all. */
const maxShown = 60_000;

const unfoldAfterMs = 700;

/** Shows a call. */
export function toolView(first: ToolItem, onGrow: () => void): ItemView<ToolItem> {
  let item = first;
  const status = h('span', { class: 'tool-status' });
  const title = h('span', { class: 'tool-title' });
  const time = h('span', { class: 'tool-time' });
  const where = h('span', { class: 'tool-where' });
  const output = h('pre', { class: 'output', label: 'Output', testid: 'tool-output', attributes: { tabindex: '0' } });
  const body = h('div', { class: 'tool-body' });
  const children = h('div', { class: 'tool-children', hidden: true, testid: 'tool-children' });
  const details = h('details', { class: 'item tool', testid: 'tool' }, h('summary', {}, icon(kindIcons[item.toolKind], 'tool-icon'), title, where, time, status), body, children);
  let unfolding: number | undefined;
  let unfolded = false;

  const fill = (): void => {
    if (!details.open) {
      return;
    }
    const parts: Node[] = [];
    const command = item.toolKind === 'execute' ? commandOf(item.input) : undefined;
    if (command !== undefined) {
      parts.push(h('pre', { class: 'ran', label: 'Command' }, command));
    }
    const text = item.output || item.text;
    if (item.error) {
      parts.push(h('div', { class: 'tool-error' }, item.error));
    }
    if (item.changes && item.changes.length > 0) {
      item.changes.forEach((c) => c.diff && parts.push(diffLines(c.diff)));
    } else if (text && !item.error?.startsWith(text.split('\n')[0] ?? '')) {
      output.textContent = text.slice(-maxShown);
      parts.push(output);
    }
    if (item.input && item.toolKind !== 'edit' && command === undefined) {
      parts.push(h('details', { class: 'tool-input' }, h('summary', {}, 'Arguments'), h('pre', { class: 'output' }, item.input)));
    }
    if (item.toolKind === 'execute') {
      parts.push(h('button', { class: 'link tool-link', testid: 'tool-terminal', attributes: { type: 'button' }, on: { click: () => post({ type: 'terminal', toolCallId: item.id }) } }, 'Show in a terminal'));
    }
    body.replaceChildren(...parts);
  };
  details.addEventListener('toggle', fill);
  details.addEventListener('click', () => {
    unfolded = false;
  });

  const update = (next: ToolItem): void => {
    item = next;
    title.textContent = item.title;
    title.title = item.title;
    where.replaceChildren(...places(item));
    time.textContent = item.elapsedMs !== undefined && item.elapsedMs >= 100 ? `${(item.elapsedMs / 1000).toFixed(1)} s` : '';
    details.dataset['status'] = item.status;
    status.replaceChildren(icon(statusIcon(item), item.status === 'in_progress' ? 'codicon-modifier-spin' : ''), h('span', { class: 'sr-only' }, statusNames[item.status]));
    // The output of a command that takes a while is seen while it comes, and folded
    // when it has ended well; what the person has folded or unfolded stays so.
    if ((item.toolKind === 'execute' || !children.hidden) && item.status === 'in_progress') {
      unfolding ??= window.setTimeout(() => {
        unfolded = !details.open;
        details.open = true;
      }, unfoldAfterMs);
    } else if (item.status === 'completed' || item.status === 'failed') {
      window.clearTimeout(unfolding);
      if (unfolded && item.status === 'completed') {
        unfolded = false;
        details.open = false;
      }
    }
    fill();
    onGrow();
  };
  update(first);

  return {
    element: details,
    update,
    adopt: (child) => {
      children.hidden = false;
      children.append(child);
      update(item);
    },
    append: (text) => {
      item = { ...item, output: item.output + text };
      if (details.open && output.isConnected) {
        output.append(text);
        if (output.textContent && output.textContent.length > maxShown * 2) {
          output.textContent = output.textContent.slice(-maxShown);
        }
        output.scrollTop = output.scrollHeight;
        onGrow();
      } else {
        fill();
      }
    },
  };
}

function statusIcon(item: ToolItem): string {
  switch (item.status) {
    case 'pending': return 'circle-outline';
    case 'in_progress': return 'loading';
    case 'completed': return 'check';
    case 'failed': return 'error';
  }
}

/** The command among the arguments. */
function commandOf(input: string | undefined): string | undefined {
  try {
    const args: unknown = JSON.parse(input ?? '');
    return typeof args === 'object' && args !== null && 'command' in args && typeof args.command === 'string' ? args.command : undefined;
  } catch {
    return undefined;
  }
}

/** Links to the files of a call that its title does not name already. */
function places(item: ToolItem): Node[] {
  return item.locations.slice(0, 3).map((l) => {
    const name = l.path.split(/[\\/]/).pop() ?? l.path;
    const label = l.line === undefined ? name : `${name}:${l.line}`;
    return h('button', {
      class: 'link', title: l.path, label: `Open ${label}`, testid: 'tool-location', attributes: { type: 'button' },
      on: {
        click: (event) => {
          event.preventDefault();
          post({ type: 'openFile', path: l.path, line: l.line });
        },
      },
    }, label);
  });
}
