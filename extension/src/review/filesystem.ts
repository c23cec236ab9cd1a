// The file system of the proposed texts. They are documents of their own, so
// that nothing that saves files by itself can write a text that nobody has
// approved. A text lives here as long as its question is open.
import * as vscode from 'vscode';

/** The scheme of the proposed texts. */
export const reviewScheme = 'agentd-review';

interface Entry {
  text: string;
  mtime: number;
  readonly: boolean;
}

/** Opens a proposed text: its bytes are UTF-8, whatever encoding the person has set for files. */
export function openReview(uri: vscode.Uri): Thenable<vscode.TextDocument> {
  return vscode.workspace.openTextDocument(uri, { encoding: 'utf8' });
}

/** Holds the proposed texts. */
export class ReviewFileSystem implements vscode.FileSystemProvider {
  private readonly entries = new Map<string, Entry>();
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;

  /** Adds a text. */
  add(uri: vscode.Uri, text: string, readonly: boolean): void {
    this.entries.set(uri.toString(), { text, mtime: Date.now(), readonly });
  }

  /** Forgets a text; it is not saved anywhere. */
  remove(uri: vscode.Uri): void {
    if (this.entries.delete(uri.toString())) {
      this.changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
    }
  }

  /** The text as it was saved last. */
  text(uri: vscode.Uri): string | undefined {
    return this.entries.get(uri.toString())?.text;
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const entry = this.entry(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: entry.mtime,
      size: Buffer.byteLength(entry.text),
      permissions: entry.readonly ? vscode.FilePermission.Readonly : undefined,
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return Buffer.from(this.entry(uri).text, 'utf8');
  }

  /** A text whose question is closed may still be saved by something that was about to: nobody needs it. */
  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const entry = this.entries.get(uri.toString());
    if (!entry) {
      return;
    }
    if (entry.readonly) {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    entry.text = new TextDecoder('utf-8').decode(content);
    entry.mtime = Math.max(Date.now(), entry.mtime + 1);
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): void {
    // there are none: the editor asks for one before it writes a text that is gone
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  private entry(uri: vscode.Uri): Entry {
    const entry = this.entries.get(uri.toString());
    if (!entry) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return entry;
  }
}
