// After a change was written its lines are marked in the editor for a moment,
// so that the eye finds them.
import * as vscode from 'vscode';
import type { FileChange } from '../protocol';
import { addedLines } from './addedlines';

const waitMs = 2000;
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
    if (ranges.length === 0) {
      return;
    }
    const marked = new Set<vscode.TextEditor>();
    const mark = (): void => {
      for (const editor of vscode.window.visibleTextEditors) {
        if (editor.document.uri.scheme === 'file' && editor.document.uri.fsPath === change.path && !marked.has(editor)) {
          marked.add(editor);
          this.step(editor, ranges, 0);
        }
      }
    };
    // The editor of the file may come into view a moment later, when the diff closes.
    const listener = vscode.window.onDidChangeVisibleTextEditors(mark);
    this.after(waitMs, () => void listener.dispose());
    mark();
  }

  dispose(): void {
    this.timers.forEach((t) => clearTimeout(t));
    this.types.forEach((t) => t.dispose());
  }

  private step(editor: vscode.TextEditor, ranges: vscode.Range[], n: number): void {
    this.types.forEach((type, i) => editor.setDecorations(type, i === n ? ranges : []));
    const delay = stepsMs[n];
    if (delay !== undefined) {
      this.after(delay, () => this.step(editor, ranges, n + 1));
    }
  }

  private after(delayMs: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, delayMs);
    this.timers.add(timer);
  }
}
