// The unsaved texts, with real documents and a daemon that only listens.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { applyBuffer } from '../../src/buffers/apply';
import { BufferSync } from '../../src/buffers/sync';
import type { Daemon, DaemonState, Ended } from '../../src/daemon/daemon';
import { until } from './until';

const [root] = vscode.workspace.workspaceFolders ?? [];

/** A daemon that keeps what it is told. */
class Listener {
  readonly told: { method: string; params: { uri: string; version?: number; text?: string } }[] = [];
  readonly states = new vscode.EventEmitter<DaemonState>();
  readonly ends = new vscode.EventEmitter<Ended>();
  readonly onState = this.states.event;
  readonly onEnd = this.ends.event;
  connection: unknown = { notify: (method: string, params: { uri: string }) => this.told.push({ method, params }) };

  of(uri: vscode.Uri): string[] {
    return this.told.filter((t) => t.params.uri === uri.toString()).map((t) => (t.method === 'buffer/set' ? t.params.text ?? '' : 'clear'));
  }
}

async function open(name: string, text: string, folder = root?.uri.fsPath ?? ''): Promise<{ document: vscode.TextDocument; editor: vscode.TextEditor }> {
  const file = join(folder, name);
  writeFileSync(file, text);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  return { document, editor: await vscode.window.showTextDocument(document) };
}

async function type(editor: vscode.TextEditor, text: string): Promise<void> {
  assert.ok(await editor.edit((e) => e.insert(new vscode.Position(0, 0), text)));
}

describe('unsaved texts', () => {
  let daemon: Listener;
  let sync: BufferSync;
  beforeEach(() => {
    daemon = new Listener();
    sync = new BufferSync(daemon as unknown as Daemon);
  });
  afterEach(async () => {
    sync.dispose();
    for (const document of vscode.workspace.textDocuments.filter((d) => d.isDirty && !d.isUntitled)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('what became dirty is told at once, the rest when the typing pauses, the end when it is saved', async () => {
    const { document, editor } = await open('typed.txt', 'one\n');
    await type(editor, 'a');
    assert.deepEqual(daemon.of(document.uri), ['aone\n']);
    await type(editor, 'b');
    await type(editor, 'c');
    await until('the last text is told', () => daemon.of(document.uri).at(-1) === 'cbaone\n');
    assert.ok(daemon.of(document.uri).length <= 3);
    await document.save();
    await until('the end is told', () => daemon.of(document.uri).at(-1) === 'clear');
    assert.equal(readFileSync(document.uri.fsPath, 'utf8'), 'cbaone\n');
  });

  it('before a message everything is told; an undo back to what is saved ends it', async () => {
    const { document, editor } = await open('undone.txt', 'one\n');
    await type(editor, 'a');
    await type(editor, 'b');
    sync.flush();
    assert.equal(daemon.of(document.uri).at(-1), 'baone\n');
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('undo');
    await until('the end is told', () => !document.isDirty && daemon.of(document.uri).at(-1) === 'clear');
  });

  it('a file outside the folders is none of the daemon\'s business', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agentd-outside-'));
    const { document, editor } = await open('outside.txt', 'one\n', folder);
    await type(editor, 'a');
    sync.flush();
    assert.deepEqual(daemon.of(document.uri), []);
    rmSync(folder, { recursive: true });
  });

  it('a daemon that starts again is told what is dirty', async () => {
    const { document, editor } = await open('again.txt', 'one\n');
    const { connection } = daemon;
    daemon.connection = undefined;
    await type(editor, 'a');
    assert.deepEqual(daemon.of(document.uri), []);
    daemon.connection = connection;
    daemon.states.fire('running');
    assert.deepEqual(daemon.of(document.uri), ['aone\n']);
  });

  it('an approved text is put in as one step, keeps the line ends, and only into the version it was made from', async () => {
    const { document, editor } = await open('crlf.txt', 'one\r\ntwo\r\nthree\r\n');
    await type(editor, 'my ');
    const { version } = document;
    const uri = document.uri.toString();
    assert.deepEqual(await applyBuffer({ uri, baseVersion: version - 1, text: 'x' }), { applied: false, version });
    assert.equal(document.getText(), 'my one\r\ntwo\r\nthree\r\n');
    const answer = await applyBuffer({ uri, baseVersion: version, text: 'my one\nzwei\nthree\n' });
    assert.equal(answer.applied, true);
    assert.equal(answer.version, document.version);
    assert.equal(document.getText(), 'my one\r\nzwei\r\nthree\r\n');
    assert.equal(readFileSync(document.uri.fsPath, 'utf8'), 'one\r\ntwo\r\nthree\r\n', 'nothing is saved');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'my one\r\ntwo\r\nthree\r\n', 'one step back');
    assert.equal((await applyBuffer({ uri: 'file:///nowhere/at/all', baseVersion: 1, text: '' })).applied, false);
  });
});
