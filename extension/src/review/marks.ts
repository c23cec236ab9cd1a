// After a change was written its lines are marked in the editor for a moment,
// so that the eye finds them.
import * as vscode from 'vscode';
import type { FileChange } from '../protocol';

const stepsMs = [2500, 1500, 1500];
const strengths = ['59', '33', '14']; // the last two digits of #rrggbbaa

/** Marks the written lines of visible editors; the marks fade. */
export class FadingMarks implements vscode.Disposable {
  private readonly types = strengths.map((alpha) => vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: `#2ea043${alpha}`,
    overviewRulerColor: `#2ea043${alpha}`,
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  }));
  private readonly timers = new Set<NodeJS.Timeout>();

  /** Marks a change where its file is seen. */
  show(change: FileChange): void {
    const ranges = addedLines(change.diff ?? '').map((line) => new vscode.Range(line, 0, line, 0));
    const editors = vscode.window.visibleTextEditors.filter((e) => e.document.uri.scheme === 'file' && e.document.uri.fsPath === change.path);
    for (const editor of ranges.length > 0 ? editors : []) {
      this.step(editor, ranges, 0);
    }
  }

  dispose(): void {
    this.timers.forEach((t) => clearTimeout(t));
    this.types.forEach((t) => t.dispose());
  }

  private step(editor: vscode.TextEditor, ranges: vscode.Range[], n: number): void {
    this.types.forEach((type, i) => editor.setDecorations(type, i === n ? ranges : []));
    const delay = stepsMs[n];
    if (delay !== undefined) {
      const timer = setTimeout(() => {
        this.timers.delete(timer);
        this.step(editor, ranges, n + 1);
      }, delay);
      this.timers.add(timer);
    }
  }
}

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
