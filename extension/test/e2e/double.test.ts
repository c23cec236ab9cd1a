// The extension with a double of the daemon: what the daemon does not do yet, and
// what it must never do.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { extensionFolder, remove } from './processes';
import { start, type Run } from './run';
import { scenario } from './scenario';
import { until } from './window';

let run: Run;
const folder = mkdtempSync(join(tmpdir(), 'agentd-double-'));
before(async () => {
  const double = join(folder, 'agentd.mjs');
  copyFileSync(join(extensionFolder, 'test', 'e2e', 'double.mjs'), double);
  chmodSync(double, 0o755);
  run = await start(() => ({
    'agentd.path': double, 'agentd.enableTools': ['run_command'],
    'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never',
  }), { trust: true });
});
after(async () => {
  await run.stop();
  remove(folder);
});

scenario(() => run, 'three files: a list in the card, one view of all, each file decided on its own', async (w) => {
  await w.send('three files');
  await w.lens('Accept').first().waitFor();
  assert.equal(await w.chat.getByTestId('open-diff').count(), 3);
  await w.picture('files');
  await w.chat.getByTestId('open-all').click();
  await w.page.locator('.multiDiffEntry').first().waitFor();
  await until(async () => (await w.lens('Accept').count()) >= 4, () => 'each place of each file can be decided there');
  await w.picture('files-all');
  await w.tab('Edit three files').locator('.codicon-close').click();
  await w.chat.getByTestId('open-diff').nth(1).click();
  await w.tab('ten.txt').waitFor();
  await until(async () => (await w.lens('Accept').count()) === 2, () => 'two places');
  await w.lens('Reject').nth(1).click();
  await until(async () => (await w.lens('Accept').count()) === 1, () => 'one place');
  await w.titleAction('Accept All').click(); // of this file; the next opens
  await w.tab('a.txt').waitFor();
  await w.chat.getByTestId('file-settled').waitFor();
  await w.picture('files-one-decided');
  await w.titleAction('Reject (').click();
  await w.tab('new.txt').waitFor();
  await w.titleAction('Accept All').click();
  await w.chat.getByText('I have your answer.').waitFor();
  assert.deepEqual(JSON.parse(w.read('answer.json')), { decision: 'allow', hunks: { h1: false, h2: true, h3: false, h4: true } });
});

scenario(() => run, 'a daemon that answers garbage does not end the chat', async (w) => {
  await w.send('garbage');
  await w.chat.getByText('That was garbage.').waitFor();
  await w.idle();
  await w.picture('garbage');
  await w.send('hello');
  await w.chat.getByText('You said: hello').waitFor();
});

scenario(() => run, 'a command that writes 16 MB does not hang the chat', async (w) => {
  await w.send('flood');
  await w.chat.getByText('End of the flood.').waitFor();
  await w.idle();
  await w.chat.getByTestId('tool').locator('summary').click();
  await w.chat.getByTestId('tool-output').waitFor();
  await w.chat.getByTestId('input').fill('alive');
});

scenario(() => run, 'a daemon that dies again and again is not started for ever, and a button starts it', async (w) => {
  await w.send('hello');
  await w.chat.getByText('You said: hello').waitFor();
  for (let i = 0; i < 7; i += 1) {
    await w.idle();
    await w.send('die in the turn');
    await until(async () => (await w.chat.getByTestId('notice').count()) === i + 1, () => `the end of daemon ${i + 1} is told`);
    if (await w.chat.getByText('too often').isVisible()) {
      break;
    }
  }
  await w.picture('dies-again');
  await w.chat.getByText('Start again').click();
  await w.idle();
  await w.send('hello again');
  await w.chat.getByText('You said: hello again').waitFor();
});

scenario(() => run, 'a chat that ends the daemon when it is opened can be left', async (w) => {
  await w.send('hello');
  await w.chat.getByText('You said: hello').waitFor();
  await w.idle();
  writeFileSync(join(folder, 'die-in-load'), '');
  await w.reload();
  await w.openChat();
  await w.chat.getByTestId('setup-retry').waitFor();
  await w.picture('dies-in-load');
  rmSync(join(folder, 'die-in-load'));
  await w.chat.getByTestId('setup-retry').click();
  await w.send('hello again');
  await w.chat.getByText('You said: hello again').waitFor();
});

scenario(() => run, 'a daemon that is killed before it has answered the greeting: it is told, and a button starts another', async (w) => {
  const pid = join(folder, 'pid');
  writeFileSync(join(folder, 'hang-in-initialize'), '');
  await w.openChat();
  await until(() => existsSync(pid) && readFileSync(pid, 'utf8') !== '', () => 'the daemon is greeted');
  process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
  await w.chat.getByText('was ended by SIGKILL').waitFor();
  await w.picture('killed-in-initialize');
  rmSync(join(folder, 'hang-in-initialize'));
  await w.chat.getByTestId('setup-retry').click();
  await w.send('hello');
  await w.chat.getByText('You said: hello').waitFor();
  rmSync(pid);
});

scenario(() => run, 'a daemon that hangs can be left', async (w) => {
  await w.send('answer never');
  await w.chat.getByText('You can wait.').waitFor();
  await w.command('agentd: Restart');
  await w.idle();
  await w.send('hello');
  await w.chat.getByText('You said: hello').waitFor();
});

scenario(() => run, 'in a folder that is not trusted the agent may only plan; trust is passed on', async (w) => {
  await w.send('what was I told?');
  await w.chat.getByText('trusted: false, mode: plan, enabled: 0').waitFor();
  await w.chat.getByTestId('mode').getByText('Plan').waitFor();
  await w.idle();
  await w.command('Workspaces: Manage Workspace Trust');
  await w.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
  await w.picture('trust');
  await w.chat.getByTestId('mode').getByText('Ask').waitFor();
  await w.send('what was I told?');
  await w.chat.getByText('trusted: true, mode: ask, enabled: 1').waitFor();
});
