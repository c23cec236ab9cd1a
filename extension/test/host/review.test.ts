// A change from the question to the written file: the real extension and daemon,
// driven by the editor's own interface.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { globOf } from '../../src/review/glob';
import { daemons } from './daemons';
import { until } from './until';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
let file = '';
let count = 0;
const ten = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';

let turn: Thenable<unknown> | undefined;

/** The diff of the review that is open. */
function diff(): vscode.TabInputTextDiff | undefined {
  return vscode.window.tabGroups.all.flatMap((g) => g.tabs).map((t): unknown => t.input)
    .find((input): input is vscode.TabInputTextDiff => input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'agentd-review');
}

async function lenses(uri: vscode.Uri): Promise<vscode.Command[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
  return found.map((l) => l.command).filter((c) => c !== undefined);
}

async function press(uri: vscode.Uri, title: RegExp, nth = 0): Promise<void> {
  const found = (await lenses(uri)).filter((c) => title.test(c.title))[nth];
  assert.ok(found, `no ${String(title)}`);
  await vscode.commands.executeCommand(found.command, ...(found.arguments as unknown[] ?? []));
}

/** Asks for a change of a file of its own, which no earlier test has left in the editor; gives the proposed text. */
async function ask(): Promise<vscode.TextDocument> {
  count += 1;
  file = join(folder, `ten-${count}.txt`);
  writeFileSync(file, ten);
  const uri = vscode.Uri.file(file);
  const problem = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 3), 'not German');
  // It attaches the file, which counts as read. The command ends with the turn.
  turn = vscode.commands.executeCommand('agentd.fix', uri, [problem, problem]);
  const { original, modified } = await until('the diff opens', () => diff());
  assert.equal(original.fsPath, file, 'the left side is the real file');
  return vscode.workspace.openTextDocument(modified);
}

async function answered(): Promise<void> {
  await until('the diff closes', () => diff() === undefined);
}

describe('a review', () => {
  before(() => {
    assert.deepEqual(daemons(), [], 'nothing was started before it was needed');
  });
  afterEach(async () => {
    await turn;
    await vscode.commands.executeCommand('agentd.newChat');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('each place has its pair of lenses, the one that only deletes too; they decide', async () => {
    const right = await ask();
    const titles = (await lenses(right.uri)).map((c) => c.title);
    assert.equal(titles.filter((t) => t === '$(check) Accept').length, 3);
    assert.equal(titles.filter((t) => t === '$(close) Reject').length, 3);
    assert.ok(titles.some((t) => t.startsWith('Always: ')));
    await press(right.uri, /^\$\(close\) Reject$/, 1);
    assert.equal(right.getText(), 'eins\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nneun\nneuneinhalb\nten\n');
    await press(right.uri, /Accept$/);
    await press(right.uri, /Accept$/);
    await answered();
    await until('it is written', () => readFileSync(file, 'utf8') === 'eins\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nneun\nneuneinhalb\nten\n');
    assert.equal(daemons().length, 1);
  });

  it('all places rejected one by one is a rejection', async () => {
    const right = await ask();
    for (let i = 0; i < 3; i += 1) {
      await press(right.uri, /^\$\(close\) Reject$/);
    }
    await answered();
    assert.equal(readFileSync(file, 'utf8'), ten);
  });

  it('what was typed is written; a formatter on save and auto save do not get at it', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('autoSave', 'afterDelay', vscode.ConfigurationTarget.Workspace);
    await files.update('autoSaveDelay', 5000, vscode.ConfigurationTarget.Workspace);
    await files.update('trimTrailingWhitespace', true, vscode.ConfigurationTarget.Workspace);
    const right = await ask();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(right.uri, new vscode.Position(0, 4), ' and more  ');
    await vscode.workspace.applyEdit(edit);
    await until('the proposed text is saved where it belongs', () => !right.isDirty);
    assert.equal(readFileSync(file, 'utf8'), ten, 'the real file is as it was');
    await vscode.commands.executeCommand('agentd.review.acceptAll', right.uri);
    await answered();
    const now = await until('it is written', () => readFileSync(file, 'utf8') !== ten && readFileSync(file, 'utf8'));
    assert.match(now, /^eins and more {2}\n/);
    for (const name of ['autoSave', 'autoSaveDelay', 'trimTrailingWhitespace']) {
      await files.update(name, undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('the proposed text is UTF-8 without a mark, whatever the person has set for files', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('encoding', 'utf8bom', vscode.ConfigurationTarget.Workspace);
    const right = await ask();
    assert.equal(right.encoding, 'utf8');
    assert.match(right.getText(), /^eins\n/);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(right.uri, new vscode.Position(0, 0), 'größer ');
    await vscode.workspace.applyEdit(edit);
    await until('it is saved', () => !right.isDirty);
    await vscode.commands.executeCommand('agentd.review.acceptAll', right.uri);
    await answered();
    await until('it is written', () => readFileSync(file, 'utf8').startsWith('größer eins\n'));
    await files.update('encoding', undefined, vscode.ConfigurationTarget.Workspace);
  });

  it('a file that changes meanwhile is not written over', async () => {
    const right = await ask();
    writeFileSync(file, `mine\n${ten}`);
    await until('it is said', async () => (await lenses(right.uri)).some((c) => c.title.includes('has changed since')));
    await vscode.commands.executeCommand('agentd.review.acceptAll', right.uri);
    await answered();
    assert.equal(readFileSync(file, 'utf8'), `mine\n${ten}`);
  });

  it('a file is followed on disk whatever is in its name', async () => {
    for (const name of ['[id].{a,b}.txt', 'a [b.txt', 'c}.txt']) {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), globOf(name)));
      const seen: string[] = [];
      const hear = (uri: vscode.Uri): void => void seen.push(uri.fsPath);
      watcher.onDidCreate(hear);
      watcher.onDidChange(hear);
      await until(`${name} is seen`, () => {
        writeFileSync(join(folder, name), String(seen.length)); // again: the editor may not watch yet
        return seen.length > 0;
      });
      watcher.dispose();
      assert.deepEqual([...new Set(seen)], [join(folder, name)]);
    }
  });

  it('a file that is deleted meanwhile does not come back', async () => {
    const right = await ask();
    rmSync(file);
    await until('it is said', async () => (await lenses(right.uri)).some((c) => c.title.includes('has changed since')));
    await vscode.commands.executeCommand('agentd.review.acceptAll', right.uri);
    await answered();
    assert.equal(existsSync(file), false);
  });

  it('a stop closes the diff, and nothing is written', async () => {
    await ask();
    await vscode.commands.executeCommand('agentd.stop');
    await answered();
    assert.equal(readFileSync(file, 'utf8'), ten);
    assert.equal(vscode.workspace.textDocuments.filter((d) => d.isDirty).length, 0);
  });
});
