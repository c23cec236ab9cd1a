// Chats that are stored: gone on with, listed, renamed, copied, deleted; and the
// messages that wait while a turn runs.
import assert from 'node:assert/strict';
import type { Run } from './run';
import { scenario } from './scenario';
import { until } from './window';

/** Registers the tests. */
export function sessionTests(run: () => Run): void {
  scenario(run, 'a reload goes on with the chat; a new one lists it; it is renamed, found and deleted', async (w) => {
    await w.send('remember me');
    await w.chat.getByText('I remember.').waitFor();
    await w.idle();
    await w.reload();
    await w.ready();
    await w.chat.getByText('I remember.').waitFor();
    assert.equal(await w.chat.getByTestId('user').count(), 1);
    await w.picture('resumed');
    await w.send('what did I say?');
    await w.chat.getByText('You said: remember me.').waitFor();
    await w.idle();
    assert.equal(await w.chat.getByTestId('user').count(), 2, 'the live message is shown once');

    await w.command('agentd: Rename Chat');
    const input = w.page.locator('.quick-input-widget input[type="text"]');
    await input.fill('My good old chat');
    await w.page.keyboard.press('Enter');
    await w.page.locator('.sidebar .title-label', { hasText: /My good old chat/i }).waitFor();

    await w.command('agentd: New Chat');
    await w.chat.getByTestId('recent').getByText('My good old chat').waitFor();
    await w.picture('recent-chats');
    await w.chat.getByTestId('recent').getByText('My good old chat').click();
    await w.chat.getByText('You said: remember me.').waitFor();
    assert.equal(await w.chat.getByTestId('user').count(), 2);
    await w.send('and now?');
    await w.chat.getByText('Still here.').waitFor();
    await w.idle();

    await w.command('agentd: Chats');
    await input.fill('good old');
    const row = w.page.locator('.quick-input-list .monaco-list-row', { hasText: 'My good old chat' });
    await row.waitFor();
    await row.hover();
    await w.picture('chats');
    await row.locator('a.action-label[aria-label="Delete"]').click();
    await w.page.locator('.monaco-dialog-box', { hasText: 'Delete the chat' }).waitFor();
    await w.picture('chat-delete');
    await w.page.locator('.monaco-dialog-box a', { hasText: 'Delete' }).click();
    await w.chat.getByText('What shall be done?').waitFor();
    await w.page.keyboard.press('Escape');
    await w.chat.getByTestId('recent').waitFor({ state: 'detached' });
  });

  scenario(run, 'an earlier message is edited and sent again, with the files put back; a copy goes on from the old one', async (w) => {
    await w.send('a branch');
    await w.lens('Accept').first().click();
    await w.chat.getByText('The first turn is done.').waitFor();
    await w.idle();
    await w.send('the second turn, please');
    await w.chat.getByText('The second turn is done.').waitFor();
    await w.idle();
    await w.chat.getByTestId('user').nth(1).hover();
    await w.chat.getByTestId('edit-message').nth(1).click();
    await w.chat.getByTestId('editing').waitFor();
    assert.equal(await w.chat.getByTestId('input').inputValue(), 'the second turn, please');
    await w.picture('edit-message');
    await w.chat.getByTestId('input').fill('other words');
    await w.chat.getByTestId('input').press('Enter');
    await w.chat.getByText('The other second turn is done.').waitFor();
    await w.idle();
    assert.equal(await w.chat.getByText('The second turn is done.').count(), 0);
    assert.equal(await w.chat.getByTestId('user').count(), 2);
    assert.equal(w.read('a.txt'), 'one\nzwei\nthree\n');

    // The chat as it was is in the list; a copy of it goes on.
    await w.command('agentd: Chats');
    await w.page.locator('.quick-input-list .monaco-list-row', { hasText: /^a branch(?! \()/ }).first().click();
    await w.chat.getByText('The second turn is done.').waitFor();
    await w.chat.getByTestId('user').nth(1).hover();
    await w.chat.getByTestId('fork-message').nth(1).click();
    await w.chat.getByText('This is a copy of the chat').waitFor();
    await w.send('go on');
    await w.chat.getByText('The copy goes on.').waitFor();
    await w.idle();
    await w.picture('copy');

    // In place of the first message: what was changed can be put back.
    await w.command('agentd: Chats');
    await w.page.locator('.quick-input-list .monaco-list-row', { hasText: /^a branch(?! \()/ }).first().click();
    await w.chat.getByText('The copy goes on.').waitFor({ state: 'hidden' });
    await w.chat.getByTestId('user').first().hover();
    await w.chat.getByTestId('edit-message').first().click();
    await w.chat.getByTestId('editing').waitFor();
    await w.chat.getByTestId('input').fill('first version');
    await w.chat.getByTestId('input').press('Enter');
    await w.page.locator('.monaco-dialog-box a', { hasText: 'Put the Files Back' }).waitFor();
    await w.picture('put-back');
    await w.page.locator('.monaco-dialog-box a', { hasText: 'Put the Files Back' }).click();
    await w.chat.getByText('Reply to the first version.').waitFor();
    await w.fileBecomes('a.txt', 'one\ntwo\nthree\n');
    assert.equal(await w.chat.getByTestId('user').count(), 1);
  });

  scenario(run, 'while a turn runs: Enter goes into it, Alt+Enter waits for its end', async (w) => {
    await w.send('work slowly');
    await w.chat.getByTestId('allow').waitFor();
    const input = w.chat.getByTestId('input');
    await input.fill('leave the tests alone');
    await input.press('Enter');
    await w.chat.getByTestId('steering').waitFor();
    await input.fill('with a slip');
    await input.press('Enter');
    await until(async () => (await w.chat.getByTestId('steering').count()) === 2, () => 'two are on their way');
    await w.chat.getByTestId('steering-edit').nth(1).click(); // it is taken back
    await until(async () => (await input.inputValue()) === 'with a slip', () => 'it is in the box again');
    assert.equal(await w.chat.getByTestId('steering').count(), 1);
    await input.fill('not this one');
    await input.press('Alt+Enter');
    await input.fill('the queued one');
    await w.chat.getByTestId('queue').click();
    await until(async () => (await w.chat.getByTestId('queued').count()) === 2, () => 'two are queued');
    await input.fill('typed');
    await w.picture('queue');
    await input.fill('');
    await w.chat.getByTestId('queued-remove').first().click();
    await w.chat.getByTestId('allow').click();
    await w.chat.getByText('I leave them alone.').waitFor();
    await w.chat.getByText('That was queued.').waitFor();
    await w.idle();
    assert.deepEqual(await w.chat.getByTestId('user').locator('.user-text').allTextContents(), ['work slowly', 'leave the tests alone', 'the queued one']);
    assert.equal(await w.chat.getByTestId('pending').isVisible(), false);
    await w.picture('queue-done');
  });

  scenario(run, 'a stop gives what waits back to the input box', async (w) => {
    await w.send('stop with a queue');
    await w.chat.getByText('I begin.').waitFor();
    const input = w.chat.getByTestId('input');
    await input.fill('later');
    await input.press('Alt+Enter');
    await w.chat.getByTestId('queued').waitFor();
    await w.chat.getByTestId('stop').click();
    await w.chat.getByTestId('turn-end').waitFor();
    await w.idle();
    assert.equal(await input.inputValue(), 'later');
    assert.equal(await w.chat.getByTestId('pending').isVisible(), false);
  });

  scenario(run, 'a chat with an open question is left: asked first, then nothing of it is left over', async (w) => {
    await w.send('leave me');
    await w.lens('Accept').first().waitFor();
    await w.command('agentd: New Chat');
    await w.page.locator('.monaco-dialog-box a', { hasText: 'Cancel' }).click();
    await w.chat.getByTestId('allow').waitFor();
    await w.command('agentd: New Chat');
    await w.page.locator('.monaco-dialog-box a', { hasText: 'Stop and Leave' }).click();
    await w.diff.waitFor({ state: 'hidden' });
    await w.chat.getByTestId('recent').getByText('leave me').waitFor();
    assert.equal(await w.chat.getByTestId('items').locator('> *').count(), 0);
    assert.equal(w.read('a.txt'), 'one\ntwo\nthree\n');
    await w.chat.getByTestId('recent').getByText('leave me').click();
    await w.chat.locator('[data-testid="tool"][data-status="failed"]').waitFor();
  });
}
