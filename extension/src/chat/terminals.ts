// The output of a command in a terminal: read only, it follows while the
// command runs. The terminal understands colours, the card shows plain text.
import * as vscode from 'vscode';
import type { Item, ItemChange } from '../shared/items';

/** A terminal and what it is to show; before it is open the text waits. */
interface Open {
  terminal: vscode.Terminal;
  writer: vscode.EventEmitter<string>;
  waiting: string | undefined;
}

/** Shows outputs of commands in terminals. */
export class OutputTerminals {
  private readonly open = new Map<string, Open>();

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
    const terminal = vscode.window.createTerminal({
      name: item.title.slice(0, 60),
      iconPath: new vscode.ThemeIcon('output'),
      pty: {
        onDidWrite: writer.event,
        open: () => {
          writer.fire(lines(entry.waiting ?? ''));
          entry.waiting = undefined;
        },
        close: () => {
          this.open.delete(item.id);
          writer.dispose();
        },
      },
    });
    const entry: Open = { terminal, writer, waiting: item.output || item.text || '' };
    this.open.set(item.id, entry);
    terminal.show(true);
  }

  /** Passes live output on. */
  onChanges(changes: ItemChange[]): void {
    for (const change of changes) {
      const entry = change.op === 'append' ? this.open.get(change.id) : undefined;
      if (entry && change.op === 'append') {
        if (entry.waiting === undefined) {
          entry.writer.fire(lines(change.text));
        } else {
          entry.waiting += change.text;
        }
      }
    }
  }
}

function lines(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}
