// The chat: what streams in, what is asked, what is stopped.
import assert from 'node:assert/strict';
import type { Run } from './run';
import { scenario } from './scenario';
import { until } from './window';

/** Registers the tests. */
export function chatTests(run: () => Run): void {
  scenario(run, 'a reply streams in as Markdown', async (w) => {
    await w.send('stream please');
    const reply = w.chat.getByTestId('assistant');
    await reply.getByText('Done.').waitFor();
    await reply.locator('h1', { hasText: 'A heading' }).waitFor();
    await reply.locator('pre.code .hljs-keyword').first().waitFor();
    assert.equal(await reply.locator('td').count(), 2);
    await w.chat.getByTestId('thought').locator('summary').click();
    await w.chat.getByText('wants to see it stream').waitFor();
    await w.idle();
    await w.picture('chat-stream');
    await reply.getByText('a file').click();
    await w.tab('a.txt').waitFor();

    // The bar above the code: copied, put in at the cursor, made a new file.
    await w.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const code = 'package main\n\n// main says hello.\nfunc main() {\n\tprintln("hello", 42)\n}\n';
    await reply.getByTestId('code-copy').click();
    await until(async () => (await w.page.evaluate(() => navigator.clipboard.readText())) === code, () => 'the code is copied');
    await w.page.locator('.monaco-editor .view-line', { hasText: 'two' }).click();
    await w.page.keyboard.press('Home');
    await reply.getByTestId('code-insert').click();
    await w.page.locator('.monaco-editor .view-line', { hasText: 'package main' }).waitFor();
    await w.page.keyboard.press('Control+s');
    await w.fileBecomes('a.txt', `one\n${code}two\nthree\n`);
    await reply.getByTestId('code-create').click();
    await w.tab('Untitled-1').waitFor();
    await w.page.locator('.statusbar-item', { hasText: /^Go$/ }).waitFor();
    await w.picture('code-actions');
  });

  scenario(run, 'a command: the exact command is shown, it runs when it is allowed', async (w) => {
    await w.send('run a command');
    await w.chat.getByTestId('confirm-command').waitFor();
    assert.equal(await w.chat.getByTestId('confirm-command').textContent(), 'echo from the command; touch made.txt');
    await w.picture('chat-command');
    await w.chat.getByTestId('allow').click();
    await w.chat.getByText('It ran.').waitFor();
    await w.fileBecomes('made.txt', '');
    await w.chat.getByTestId('tool').locator('summary').first().click();
    await w.chat.getByTestId('tool-output').getByText('from the command').waitFor();
    await w.picture('chat-command-ran');
  });

  scenario(run, 'a question while the chat is hidden: notification, badge, status bar; answered in the card', async (w) => {
    await w.ready();
    await w.chat.getByTestId('input').fill('ask me');
    await w.chat.getByTestId('input').press('Enter');
    await w.page.locator('.activitybar a.action-label[aria-label^="Explorer"]').click();
    const status = w.page.locator('.statusbar-item', { hasText: 'agentd: 1 question' });
    await status.waitFor();
    await w.page.locator('.activitybar .badge-content', { hasText: '1' }).first().waitFor();
    await w.page.locator('.notification-toast', { hasText: 'should the file have?' }).waitFor();
    assert.deepEqual(await w.page.locator('.notification-toast a:not(.action-label)').allTextContents(), ['Answer'], 'what the model says is no link');
    await w.picture('question-hidden');
    await w.page.locator('.notification-toast a', { hasText: 'Answer' }).click();
    await w.page.locator('.notification-toast').waitFor({ state: 'hidden' });
    await w.chat.getByTestId('option').filter({ hasText: 'YAML' }).click();
    await w.picture('question');
    await w.chat.getByTestId('answer').click();
    await w.chat.getByText('Then YAML.').waitFor();
    await until(async () => (await w.page.locator('.activitybar .badge-content', { hasText: '1' }).count()) === 0, () => 'no badge');
  });

  scenario(run, 'a turn is stopped', async (w) => {
    await w.send('slow answer');
    await w.chat.getByText('I begin.').waitFor();
    await w.chat.getByTestId('stop').click();
    await w.chat.getByTestId('turn-end').waitFor();
    await w.idle();
  });

  scenario(run, 'commands and files are completed with the keyboard', async (w) => {
    await w.ready();
    const input = w.chat.getByTestId('input');
    await input.pressSequentially('/mo');
    await w.chat.getByTestId('suggest').getByText('/mode', { exact: true }).waitFor();
    await w.picture('complete-command');
    await input.press('Tab');
    assert.equal(await input.inputValue(), '/mode ');
    await input.pressSequentially('plan');
    await input.press('Enter');
    await w.chat.getByTestId('mode').getByText('Plan').waitFor();
    await w.idle();
    await input.pressSequentially('look at @te');
    await w.chat.getByTestId('suggest').getByText('ten.txt').waitFor();
    await input.press('Enter');
    assert.equal(await input.inputValue(), 'look at @ten.txt ');
    await input.press('Enter');
    await w.chat.getByTestId('user').getByText('ten.txt').nth(1).waitFor();
    await w.chat.getByText('Hello from the fake model.').waitFor();
  });

  scenario(run, 'what a model writes cannot do anything but be text', async (w) => {
    await w.send('attack');
    await w.chat.getByText('End of the attack.').waitFor();
    const reply = w.chat.getByTestId('assistant').first();
    assert.equal(await reply.locator('script, img, iframe, [onerror]').count(), 0);
    assert.equal(await reply.locator('a[data-href^="javascript"], a[data-href^="data"]').count(), 0);
    await reply.getByText("document.title='owned'", { exact: false }).first().waitFor();
    await w.picture('attack');
    await w.idle();
    await w.send('more'); // the conversation's second reply: a flood
    await w.chat.getByText('End of the flood.').waitFor({ timeout: 20_000 });
    await w.chat.getByTestId('input').fill('still alive');
    assert.notEqual(await w.page.title(), 'owned');
  });
}
