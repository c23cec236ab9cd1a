// A diff as lines, with the old ones red and the new ones green.
import { h } from '../dom';

/** Makes the lines of a unified diff. */
export function diffLines(diff: string): HTMLElement {
  const box = h('div', { class: 'diff', role: 'group', label: 'Diff' });
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    if (line.startsWith('--- ') || line.startsWith('+++ ')) {
      continue;
    }
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : line.startsWith('@@') ? 'place' : '';
    box.append(h('div', { class: `diff-line ${kind}` }, line || ' '));
  }
  return box;
}
