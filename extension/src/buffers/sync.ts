// Tells the daemon about unsaved texts: while a document is dirty, its text and
// not the file is what the model reads and edits.
import * as vscode from 'vscode';
import type { Daemon } from '../daemon/daemon';

const delayMs = 150;
/** The daemon takes 64 MiB in all; one document above this is left out. */
const maxBytes = 8 << 20;

/** Keeps the daemon's buffers like the editor's dirty documents. */
export class BufferSync implements vscode.Disposable {
  /** Versions the daemon knows, by URI. */
  private readonly sent = new Map<string, number>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly daemon: Daemon) {
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.schedule(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.sync(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.clear(document)),
      daemon.onState((state) => {
        if (state === 'running') {
          vscode.workspace.textDocuments.forEach((d) => this.sync(d));
        }
      }),
      daemon.onEnd(() => this.sent.clear()),
    ];
  }

  /** Sends what has changed, without delay: before a message, before an answer. */
  flush(): void {
    vscode.workspace.textDocuments.forEach((d) => this.sync(d));
  }

  dispose(): void {
    this.subscriptions.forEach((s) => void s.dispose());
    this.timers.forEach((t) => clearTimeout(t));
  }

  private schedule(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    clearTimeout(this.timers.get(uri));
    // What became dirty is told at once, so that no edit slips in between.
    if (!this.sent.has(uri) || !document.isDirty) {
      this.sync(document);
    } else {
      this.timers.set(uri, setTimeout(() => this.sync(document), delayMs));
    }
  }

  private sync(document: vscode.TextDocument): void {
    const { connection } = this.daemon;
    const uri = document.uri.toString();
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    if (!connection || document.uri.scheme !== 'file') {
      return;
    }
    if (document.isClosed || !document.isDirty || !vscode.workspace.getWorkspaceFolder(document.uri)) {
      this.clear(document);
    } else if (this.sent.get(uri) !== document.version) {
      const text = document.getText();
      if (Buffer.byteLength(text) <= maxBytes) {
        this.sent.set(uri, document.version);
        connection.notify('buffer/set', { uri, version: document.version, text });
      }
    }
  }

  private clear(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    if (this.sent.delete(uri)) {
      this.daemon.connection?.notify('buffer/clear', { uri });
    }
  }
}
