// The approval of changes in the diff editor.
import assert from 'node:assert/strict';
import type { Run } from './run';
import { sampleFiles } from './run';
import { scenario } from './scenario';
import { until } from './window';

/** Registers the tests. */
export function reviewTests(run: () => Run): void {
  scenario(run, 'a change is shown inline and written when it is accepted', async (w) => {
    await w.send('edit allow');
    await w.lens('Accept').first().waitFor();
    assert.equal(await w.page.locator('.monaco-diff-editor.side-by-side').count(), 0, 'the diff is inline');
    await w.picture('review');
    assert.equal(w.read('a.txt'), 'one\ntwo\nthree\n');
    await w.lens('Accept').first().click();
    await w.diff.waitFor({ state: 'hidden' });
    await w.fileBecomes('a.txt', 'one\nzwei\nthree\n');
    await w.idle();
    // The editor shows the new text, and the turn can be undone.
    await w.tab('a.txt').waitFor();
    await w.picture('review-accepted');
    await w.chat.getByTestId('undo').click();
    await w.fileBecomes('a.txt', 'one\ntwo\nthree\n');
  });

  scenario(run, 'a change of nothing but the indent is seen in the diff', async (w) => {
    await w.send('only an indent');
    await w.lens('Accept').first().waitFor();
    await w.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await w.picture('review-indent');
    await w.lens('Accept').first().click();
    await w.fileBecomes('a.txt', 'one\n    two\nthree\n');
  });

  scenario(run, 'three places: one accepted, the one that only deletes rejected, one accepted', async (w) => {
    await w.send('three places');
    await until(async () => (await w.lens('Accept').count()) === 3, () => 'three places');
    await w.picture('review-three');
    await w.lens('Reject').nth(1).click();
    await until(async () => (await w.lens('Accept').count()) === 2, () => 'two places');
    await w.lens('Accept').first().click();
    await w.lens('Accepted').first().waitFor();
    assert.equal(w.read('ten.txt'), sampleFiles['ten.txt']);
    await w.picture('review-partly');
    await w.lens('Accept').click();
    await w.fileBecomes('ten.txt', 'eins\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nneun\nneuneinhalb\nten\n');
    await w.chat.getByText('Understood.').waitFor();
    assert.match((await w.chat.getByTestId('confirm-outcome').textContent()) ?? '', /2 of 3 changes/);
  });

  scenario(run, 'what is typed on the right is what is written; auto save, in each of its modes, writes nothing before', async (w) => {
    const leave: [mode: string, how: () => Promise<void>][] = [
      ['afterDelay', async () => undefined],
      ['onFocusChange', () => w.chat.getByTestId('input').click()],
      ['onWindowChange', () => w.loseFocus()],
    ];
    for (const [i, [mode, go]] of leave.entries()) {
      w.write('.vscode/settings.json', JSON.stringify({ 'files.autoSave': mode, 'files.autoSaveDelay': 100, 'files.trimTrailingWhitespace': true }));
      const before = w.read('a.txt');
      const german = ['eins', 'zwei', 'drei'][i] ?? '';
      await w.send(`auto save ${i}`);
      await w.lens('Accept').first().waitFor();
      await w.diff.locator('.editor.modified .view-line', { hasText: german }).click();
      await w.page.keyboard.press('End');
      await w.page.keyboard.type(' and more  ');
      await w.page.locator('.tab.dirty', { hasText: 'proposed change' }).waitFor({ state: 'detached' }); // as quick as the extension no person leaves
      // Another file, which is to be saved: so it is known when auto save has been at work.
      await w.openFile('b.txt');
      await w.page.locator('.editor-group-container.active .monaco-editor .view-line').first().click();
      await w.page.keyboard.type(`${mode} `);
      await until(async () => {
        await go();
        return w.read('b.txt').includes(mode);
      }, () => `auto save ${mode}`);
      assert.equal(w.read('a.txt'), before);
      await w.gainFocus();
      await w.tab('proposed change').click();
      await w.diff.locator('.editor.modified .view-line', { hasText: `${german} and more` }).waitFor();
      await w.picture(`review-edited-${mode}`);
      await w.titleAction('Accept All').click();
      await w.fileBecomes('a.txt', before.replace(['one', 'two', 'three'][i] ?? '', `${german} and more  `));
      await w.idle();
    }
    await w.chat.getByText('I see all that you wrote.').waitFor();
  }, { files: { ...sampleFiles, 'b.txt': '\n', '.vscode/settings.json': '{}' } });

  scenario(run, 'by keyboard alone: lines are attached, the message sent, each place reached and decided', async (w) => {
    await w.ready();
    const { keyboard } = w.page;
    await w.openFile('ten.txt');
    await until(() => w.page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null), () => 'the editor has the focus');
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Control+Alt+l');
    await w.chat.getByTestId('attachment').getByText('ten.txt:1').waitFor();
    await until(() => w.chat.getByTestId('input').evaluate((field) => document.hasFocus() && field === document.activeElement), () => 'the box has the focus');
    await keyboard.type('keys only');
    await keyboard.press('Enter');
    await until(async () => (await w.lens('Accept').count()) === 3, () => 'three places');
    await keyboard.press('Control+Alt+r');
    await until(() => w.page.evaluate(() => Boolean(document.activeElement?.closest('.monaco-diff-editor'))), () => 'the diff has the focus');
    await keyboard.press('Control+Alt+y');
    await w.lens('Accepted').waitFor();
    await keyboard.press('F7');
    await w.page.locator('.statusbar-item', { hasText: /^Ln [2-9],/ }).waitFor();
    await w.picture('keyboard');
    await keyboard.press('Control+Alt+n');
    await until(async () => (await w.lens('Accept').count()) === 1, () => 'one place');
    await keyboard.press('Control+Alt+Enter');
    await w.fileBecomes('ten.txt', 'eins\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nneun\nneuneinhalb\nten\n');
  });

  scenario(run, 'rejected with feedback from the title', async (w) => {
    await w.send('reject it');
    await w.lens('Accept').first().waitFor();
    await w.titleAction('Reject with Feedback').click();
    await w.page.locator('.quick-input-widget input[type="text"]').fill('use deux');
    await w.page.keyboard.press('Enter');
    await w.chat.getByText('Then I use deux.').waitFor();
    await w.diff.waitFor({ state: 'hidden' });
    assert.equal(w.read('a.txt'), 'one\ntwo\nthree\n');
  });

  scenario(run, 'always for this session: the grant is named, and the next edit is not asked about', async (w) => {
    await w.send('always please');
    await w.lens('Always: edits of a.txt').click();
    await w.chat.getByText('Both are done.').waitFor();
    assert.equal(w.read('a.txt'), 'one\nzwei\ndrei\n');
  });

  scenario(run, 'an open file shows what was written, and the editor can undo it', async (w) => {
    await w.openFile('a.txt');
    await w.send('undo in the editor');
    await w.lens('Accept').first().click();
    await w.fileBecomes('a.txt', 'one\nzwei\nthree\n');
    await w.diff.waitFor({ state: 'hidden' });
    const line = w.page.locator('.monaco-editor .view-line', { hasText: 'zwei' });
    await line.click();
    await w.picture('written');
    await w.page.keyboard.press('Control+z');
    await w.page.locator('.monaco-editor .view-line', { hasText: 'two' }).waitFor();
  });

  scenario(run, 'a new file', async (w) => {
    await w.send('new file');
    await w.tab('hello.py').waitFor();
    await w.chat.getByTestId('allow').click();
    await w.chat.getByText('There it is.').waitFor();
    assert.equal(w.read('new/hello.py'), "print('hello')\n");
  });

  scenario(run, 'closing the diff leaves the question open; the card opens it again; a change of the file is shown; a stop closes all', async (w) => {
    await w.send('close the diff');
    await w.lens('Accept').first().waitFor();
    await w.tab('a.txt').locator('.codicon-close').click();
    await w.diff.waitFor({ state: 'hidden' });
    await w.chat.getByTestId('allow').waitFor();
    await w.chat.getByTestId('open-diff').click();
    await w.lens('Accept').first().waitFor();
    w.write('a.txt', 'one\ntwo\nthree\nfour\n');
    await w.chat.getByTestId('confirm-warning').waitFor();
    await w.picture('review-changed-meanwhile');
    await w.chat.getByTestId('stop').click();
    await w.diff.waitFor({ state: 'hidden' });
    await w.chat.getByTestId('confirm-outcome').waitFor();
    await w.idle();
    assert.equal(w.read('a.txt'), 'one\ntwo\nthree\nfour\n');
  });
}
