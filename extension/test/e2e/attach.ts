// What is attached to a message, and where a session works.
import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import type { Run } from './run';
import { sampleFiles } from './run';
import { scenario } from './scenario';
import { until } from './window';

/** A picture of one dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Pastes or drops files, as the browser tells the page of it. */
export async function give(chat: FrameLocator, how: 'paste' | 'drop', files: { name: string; type: string; base64: string }[], uris = ''): Promise<void> {
  await chat.getByTestId('input').evaluate((field, { how: kind, files: list, uris: text }) => {
    const data = new DataTransfer();
    for (const f of list) {
      data.items.add(new File([Uint8Array.from(atob(f.base64), (c) => c.charCodeAt(0))], f.name, { type: f.type }));
    }
    if (text) {
      data.setData('text/uri-list', text);
    }
    field.dispatchEvent(kind === 'paste'
      ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
      : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, { how, files, uris });
}

/** Registers the tests. */
export function attachTests(run: () => Run): void {
  scenario(run, 'a pasted picture, a dropped file and a dropped text from outside reach the model', async (w) => {
    await w.ready();
    await give(w.chat, 'paste', [{ name: 'dot.png', type: 'image/png', base64: dot }]);
    await w.chat.getByTestId('attachment').getByText('dot.png').waitFor();
    await give(w.chat, 'drop', [], `file://${w.folder}/a.txt`);
    await w.chat.getByTestId('attachment').getByText('a.txt').waitFor();
    await give(w.chat, 'drop', [{ name: 'notes.md', type: 'text/markdown', base64: btoa('# from outside') }]);
    await w.chat.getByTestId('attachment').getByText('notes.md').waitFor();
    await give(w.chat, 'drop', [{ name: 'bad.bin', type: 'application/octet-stream', base64: '/wD+' }]);
    await w.page.locator('.notification-toast', { hasText: 'bad.bin cannot be attached: it is no text' }).waitFor();
    assert.equal(await w.chat.getByTestId('attachment').count(), 3);
    await w.picture('attachments');
    await w.send('look at what is attached');
    await w.chat.getByText('I see all of it.').waitFor();
    await w.idle();
    // What was attached is still told after a reload.
    await w.reload();
    await w.ready();
    await w.chat.getByText('I see all of it.').waitFor();
    assert.equal(await w.chat.getByTestId('user').locator('.chip').count(), 3);
  });

  scenario(run, 'a problem of the Problems view is attached', async (w) => {
    await w.openFile('bad.json');
    await w.page.locator('.squiggly-error').first().waitFor();
    await w.ready();
    await w.chat.getByTestId('attach').click();
    await w.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Problems' }).click();
    await w.page.locator('.quick-input-list .monaco-list-row', { hasText: 'bad.json:1' }).first().waitFor();
    await w.picture('attach-problem');
    const chosen = w.page.locator('.quick-input-count', { hasText: '1 Selected' });
    await until(async () => {
      await w.page.locator('.quick-input-list .monaco-list-row', { hasText: 'bad.json:1' }).first().click();
      return chosen.waitFor({ timeout: 1500 }).then(() => true, () => false);
    }, () => 'the problem is chosen');
    await w.page.keyboard.press('Enter');
    await w.chat.getByTestId('attachment').getByText('bad.json:1').waitFor();
    await w.send('what about this problem?');
    await w.chat.getByText('A value is missing there.').waitFor();
  }, { files: { 'bad.json': '{ "a": }\n' } });

  const workspace = (...folders: string[]): string => JSON.stringify({ folders: folders.map((path) => ({ path })) });
  scenario(run, 'several folders: the model reads in each of them; one that is added or taken away while the chat is open counts', async (w) => {
    await w.send(`two folders ${w.folder}/two/b.txt`);
    await w.chat.getByText('Both are read.').waitFor();
    assert.equal(await w.chat.locator('[data-testid="tool"][data-status="completed"]').count(), 2);
    await w.idle();
    await w.chat.getByTestId('tool-location').nth(1).click();
    await w.tab('b.txt').waitFor();
    await w.reload();
    await w.ready();
    await w.chat.getByText('Both are read.').waitFor();

    w.write('all.code-workspace', workspace('one', 'two', 'three'));
    await w.chat.getByText('the agent now works in one, two, three').waitFor();
    await w.send(`the third ${w.folder}/three/c.txt`);
    await w.chat.getByText('The third is read.').waitFor();
    await w.idle();
    w.write('all.code-workspace', workspace('one', 'three'));
    await w.chat.getByText('the agent now works in one, three').waitFor();
    await w.picture('folders');
    await w.send(`the second ${w.folder}/two/b.txt`);
    await w.chat.getByText('The second is closed to me.').waitFor();
    await w.idle();
  }, { files: { 'one/a.txt': 'one\n', 'two/b.txt': 'two\n', 'three/c.txt': 'three\n', 'all.code-workspace': workspace('one', 'two') }, workspace: 'all.code-workspace' });

  scenario(run, 'of two files of one name in two folders the one that is chosen is attached, blanks and all', async (w) => {
    await w.ready();
    const input = w.chat.getByTestId('input');
    await input.pressSequentially('which file @my');
    await w.chat.getByTestId('suggest').getByText('two', { exact: true }).click();
    assert.equal(await input.inputValue(), 'which file @"two/my notes.txt" ');
    await input.press('Enter');
    await w.chat.getByText('It is the second.').waitFor();
    await w.idle();
  }, { files: { 'one/my notes.txt': 'the first text\n', 'two/my notes.txt': 'the second text\n', 'both.code-workspace': JSON.stringify({ folders: [{ path: 'one' }, { path: 'two' }] }) }, workspace: 'both.code-workspace' });

  scenario(run, 'the output of a command is followed in a terminal', async (w) => {
    await w.send('long command');
    await w.chat.getByTestId('allow').click();
    await w.chat.getByTestId('tool-output').getByText('line 1').waitFor();
    await w.chat.getByTestId('tool-terminal').click();
    await w.page.locator('.terminal-wrapper.active .xterm').waitFor();
    await w.chat.getByText('It ran to its end.').waitFor();
    await w.idle();
    await w.picture('terminal');
  });

  scenario(run, 'a turn that failed is tried again', async (w) => {
    await w.send('fail first');
    await w.chat.getByTestId('retry').waitFor();
    await w.picture('failed-turn');
    await w.reload(); // what went wrong is told again, and can be tried again
    await w.ready();
    await w.chat.getByTestId('turn-end').getByText('this request cannot be answered').waitFor();
    await w.chat.getByTestId('retry').click();
    await w.chat.getByText('Now it works.').waitFor();
    await w.idle();
  }, { files: sampleFiles });

  scenario(run, 'mode and model follow what is chosen, also by a slash command; the context is shown', async (w) => {
    await w.send('hello');
    await w.chat.getByText('Hello from the fake model.').waitFor();
    await w.idle();
    assert.match((await w.chat.getByTestId('usage').textContent()) ?? '', /^\d+%$/);
    await w.send('/mode accept-edits');
    await w.chat.getByTestId('mode').getByText('Accept edits').waitFor();
    await w.idle();
    await w.send('/model other');
    await w.chat.getByTestId('model').getByText('other').waitFor();
    await w.idle();
    await w.chat.getByTestId('mode').click();
    await w.picture('mode-picker');
    await w.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Plan' }).click();
    await w.chat.getByTestId('mode').getByText('Plan').waitFor();
  });
}
