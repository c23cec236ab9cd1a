// Which lines a written change has added.

/** The lines, counted from 0, that a unified diff adds. */
export function addedLines(diff: string): number[] {
  const lines: number[] = [];
  let at = -1;
  for (const line of diff.split('\n')) {
    const head = /^@@ -\S+ \+(\d+)/.exec(line);
    if (head) {
      at = Number(head[1]) - 1;
    } else if (at >= 0 && line.startsWith('+')) {
      lines.push(at);
      at += 1;
    } else if (at >= 0 && line.startsWith(' ')) {
      at += 1;
    }
  }
  return lines;
}
