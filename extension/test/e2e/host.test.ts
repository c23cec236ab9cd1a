// Runs the mocha tests of test/host inside the extension host of a real VS Code.
// @vscode/test-electron would download a desktop editor; the server that the other
// tests use runs an extension's tests just as well, from the address of its page.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { format } from 'node:util';
import { keepEvidence } from './evidence';
import { extensionFolder } from './processes';
import { runWithModel } from './run';

const run = runWithModel({ script: 'host.script' });

test('mocha in the extension host', async () => {
  const started = Date.now();
  const w = await run().window();
  const lines: string[] = [];
  const exit = new Promise<number>((done) => void w.page.exposeFunction('codeAutomationExit', done));
  await w.page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => lines.push(format(...args)));
  await w.loadForTests(extensionFolder, join(extensionFolder, 'dist', 'test', 'host', 'index.js'));
  const code = await exit;
  // What the editor itself logs is among it: mocha's lines come after the first heading.
  const from = lines.findIndex((line) => line.includes('the contributions'));
  console.log(lines.slice(Math.max(0, from)).filter((line) => line.trim()).join('\n'));
  if (code !== 0) {
    await keepEvidence('mocha in the extension host', w, run().server, started);
  }
  await w.close();
  assert.equal(code, 0, 'the tests in the extension host');
});
