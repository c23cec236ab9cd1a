// The first run: no key, no model. The offline demo is played to its end.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { start, type Run } from './run';
import { scenario } from './scenario';

let run: Run;
before(async () => {
  run = await start(() => ({}), { script: 'key.script' });
});
after(async () => {
  await run.stop();
});

scenario(() => run, 'without a key the chat says what can be done, and the offline demo works to its end', async (w) => {
  await w.openChat();
  await w.chat.getByTestId('setup-key').waitFor();
  await w.picture('setup');
  await w.chat.getByTestId('setup-demo').click();
  await w.chat.getByTestId('input').waitFor();
  await w.chat.getByTestId('send').click();
  await w.chat.getByTestId('allow').click(); // the tests
  await w.picture('demo-command');
  await w.chat.getByTestId('option').first().click();
  await w.chat.getByTestId('answer').click();
  await w.lens('Accept').first().waitFor();
  await w.page.mouse.move(800, 700); // nothing is under it
  await w.picture('demo-review');
  // The same in a dark theme and with a message that waits, for README.md.
  w.write('.vscode/settings.json', '{ "workbench.colorTheme": "Default Dark Modern" }');
  await w.chat.locator('body.vscode-dark').waitFor();
  await w.chat.getByTestId('input').fill('Then add a test for nobody.');
  await w.chat.getByTestId('input').press('Alt+Enter');
  await w.chat.getByTestId('queued').waitFor();
  await w.picture('demo-queue');
  await w.chat.getByTestId('queued-remove').click();
  await w.titleAction('Accept All').click();
  await w.chat.getByTestId('confirm-command').waitFor(); // and not the card of the change, which is about to go
  await w.chat.getByTestId('allow').click(); // the tests again
  await w.chat.getByText('All four pass').waitFor();
  await w.idle();
  await w.picture('demo-end');
  await w.command('agentd: New Chat');
  await w.chat.getByTestId('setup-key').waitFor(); // the way back to one's own folder
}, { files: { '.vscode/settings.json': '{}' } });

scenario(() => run, 'a server and its key: the models are listed, the key is used, and it is in no file', async (w) => {
  const key = 'sk-test-0123456789abcdef';
  await w.openChat();
  await w.chat.getByTestId('setup-server').click();
  const input = w.page.locator('.quick-input-widget input');
  await w.page.locator('.quick-input-widget', { hasText: 'The base URL' }).waitFor();
  await input.first().fill(run.model.url);
  await w.page.keyboard.press('Enter');
  await w.page.locator('.quick-input-widget input[type="password"]').waitFor();
  await input.first().fill(key);
  await w.picture('setup-server');
  await w.page.keyboard.press('Enter');
  await w.page.locator('.quick-input-list .monaco-list-row', { hasText: 'fake' }).click();
  await w.send('hello');
  await w.chat.getByText('The key was right.').waitFor();
  await w.idle();
  assert.match(readFileSync(join(run.server.data, 'ud', 'Machine', 'settings.json'), 'utf8'), /agentd\.model/);
  const files = readdirSync(run.server.data, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((f) => f.isFile() && !f.parentPath.includes('/extensions/'));
  assert.deepEqual(files.map((f) => join(f.parentPath, f.name)).filter((file) => readFileSync(file).includes(key)), []);

  // A message that is sent while agentd is started again is not lost without a word.
  await w.command('agentd: Forget API Key');
  await w.send('hello again');
  const refused = w.chat.getByTestId('turn-end').getByText('401');
  const again = w.chat.getByTestId('notice').getByText('Try again');
  await refused.or(again).first().waitFor();
  if (await again.isVisible()) {
    await again.click();
  }
  await refused.waitFor();
  await w.picture('key-refused');
  await w.chat.getByTestId('enter-key').click();
  await w.page.locator('.quick-input-widget input[type="password"]').waitFor();
  await input.first().fill(key);
  await w.page.keyboard.press('Enter');
  await w.chat.getByTestId('retry').click();
  await w.chat.getByText('The key was right.').nth(1).waitFor();
});
