// A text with the hunks of a change applied to it.
import type { Change } from '../protocol';
import { plain, split } from './lines';

/** The text after all hunks of a change. */
export function applyHunks(base: string, change: Change): string {
  const lines = split(plain(base));
  const out: string[] = [];
  let at = 0;
  for (const h of change.hunks) {
    out.push(...lines.slice(at, h.oldStart - 1), addedText(h.text));
    at = h.oldStart - 1 + h.oldLines;
  }
  return [...out, ...lines.slice(at)].join('');
}

/** The added lines of a hunk's text; a note may say that the last has no ending. */
function addedText(text: string): string {
  const out: string[] = [];
  let last = '';
  for (const line of split(text)) {
    if (line.startsWith('+')) {
      out.push(line.slice(1));
    } else if (line.startsWith('\\') && last === '+') {
      out.push((out.pop() ?? '').replace(/\r?\n$/, ''));
    }
    last = line.charAt(0);
  }
  return out.join('');
}
