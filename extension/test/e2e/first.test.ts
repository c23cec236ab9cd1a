// The first run: no key, no model. The offline demo is played to its end.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { start, type Run } from './run';
import { scenario } from './scenario';

let run: Run;
before(async () => {
  run = await start(() => ({}));
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
  await w.picture('demo-review');
  await w.titleAction('Accept All').click();
  await w.chat.getByTestId('confirm-command').waitFor(); // and not the card of the change, which is about to go
  await w.chat.getByTestId('allow').click(); // the tests again
  await w.chat.getByText('All four pass').waitFor();
  await w.idle();
  await w.picture('demo-end');
});

scenario(() => run, 'a key is asked for and kept out of the settings', async (w) => {
  await w.openChat();
  await w.chat.getByTestId('setup-key').click();
  const input = w.page.locator('.quick-input-widget input');
  await input.first().waitFor();
  assert.equal(await w.page.locator('.quick-input-widget input[type="password"]').count(), 1);
  await w.page.keyboard.press('Escape');
});
