// The output of a command in a terminal: read only, it follows while the
// command runs. The terminal understands colours, the card shows plain text.
import * as vscode from 'vscode';
import type { Item, ItemChange } from '../shared/items';

/** Shows outputs of commands in terminals. */
export class OutputTerminals {
  private readonly open = new Map<string, { terminal: vscode.Terminal; writer: vscode.EventEmitter<string> }>();

  /** Opens the terminal of a call, or brings it to the front. */
  show(item: Item | undefined): void {
    if (item?.kind !== 'tool') {
      return;
    }
    const known = this.open.get(item.id);
    if (known) {
      known.terminal.show(true);
      return;
    }
    const writer = new vscode.EventEmitter<string>();
    const text = item.output || item.text || '';
    const terminal = vscode.window.createTerminal({
      name: item.title,
      iconPath: new vscode.ThemeIcon('output'),
      pty: {
        onDidWrite: writer.event,
        open: () => writer.fire(lines(text)),
        close: () => {
          this.open.delete(item.id);
          writer.dispose();
        },
      },
    });
    this.open.set(item.id, { terminal, writer });
    terminal.show(true);
  }

  /** Passes live output on. */
  onChanges(changes: ItemChange[]): void {
    for (const change of changes) {
      if (change.op === 'append') {
        this.open.get(change.id)?.writer.fire(lines(change.text));
      }
    }
  }
}

function lines(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}
