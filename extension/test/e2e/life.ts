// The life of the daemon and the texts that are not saved.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Run } from './run';
import { scenario } from './scenario';
import { until } from './window';

/** The daemons that run in this run's VS Code: those with its data folder in their environment. */
function daemons(run: Run): number[] {
  return readdirSync('/proc').filter((n) => /^\d+$/.test(n)).map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/exe`).startsWith(run.server.data) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('agentd');
    } catch {
      return false;
    }
  }).filter((pid) => /\/bin\/agentd$/.test(readlinkSync(`/proc/${pid}/exe`)));
}

/** Registers the tests. */
export function lifeTests(run: () => Run): void {
  scenario(run, 'the daemon is killed: it starts again, says so, and the chat goes on; it ends with the window', async (w) => {
    await until(() => daemons(run()).length === 0, () => `daemons of earlier windows end: ${daemons(run()).join()}`);
    await w.send('hello');
    await w.chat.getByText('Hello from the fake model.').waitFor();
    await w.idle();
    const [pid] = daemons(run());
    assert.ok(pid);
    process.kill(pid, 'SIGKILL');
    await w.chat.getByText('started again').waitFor();
    await until(() => daemons(run()).length === 1 && !daemons(run()).includes(pid), () => 'a new daemon');
    await w.picture('restarted');
    await w.send('hello again');
    await w.chat.getByText('Hello from the fake model.').nth(1).waitFor();
    await w.close();
    await until(() => daemons(run()).length === 0, () => 'the daemon ends with the window');
  });

  scenario(run, 'the daemon is killed while a change is open: the diff closes, nothing is written, and the message can be sent again', async (w) => {
    await w.send('killed meanwhile');
    await w.lens('Accept').first().waitFor();
    daemons(run()).forEach((pid) => process.kill(pid, 'SIGKILL'));
    await w.diff.waitFor({ state: 'hidden' });
    await w.chat.getByText('Closed: the turn has ended').waitFor();
    assert.equal(w.read('a.txt'), 'one\ntwo\nthree\n');
    await w.picture('killed');
    await w.chat.getByTestId('notice').getByText('Try again').click();
    await w.lens('Accept').first().click();
    await w.chat.getByText('This time it is done.').waitFor();
    assert.equal(w.read('a.txt'), 'one\nzwei\nthree\n');
  });

  scenario(run, 'typed into the file while its change is open: it is shown, and not written over', async (w) => {
    await w.openFile('a.txt');
    await w.send('typed meanwhile');
    await w.lens('Accept').first().waitFor();
    await w.tab('a.txt').first().click();
    await w.page.locator('.monaco-editor .view-line').first().click();
    await w.page.keyboard.type('mine ');
    await w.chat.getByTestId('confirm-warning').waitFor();
    await w.chat.getByTestId('allow').click();
    await w.chat.getByText('It could not be written.').waitFor();
    await w.chat.locator('[data-testid="tool"][data-status="failed"] summary').click();
    await w.picture('typed-meanwhile');
    assert.equal(w.read('a.txt'), 'one\ntwo\nthree\n');
  });

  scenario(run, 'two windows do not disturb each other', async (one) => {
    const two = await run().window();
    await two.load();
    await one.page.bringToFront();
    await one.send('two windows');
    await one.lens('Accept').first().waitFor();
    await two.page.bringToFront();
    await two.send('hello');
    await two.chat.getByText('Hello from the fake model.').waitFor();
    assert.equal(await two.lens('Accept').count(), 0);
    await one.page.bringToFront();
    await one.lens('Accept').first().click();
    await one.fileBecomes('a.txt', 'one\nzwei\nthree\n');
    assert.equal(two.read('a.txt'), 'one\ntwo\nthree\n');
    await two.close();
  });

  scenario(run, 'an unsaved text is what the model reads and edits; the file on disk stays', async (w) => {
    await w.openFile('a.txt');
    await w.page.locator('.monaco-editor .view-line').first().click();
    await w.page.keyboard.press('Control+Home');
    await w.page.keyboard.type('typed ');
    await w.send('dirty buffer');
    await w.lens('Accept').first().click();
    await w.chat.getByText('It is in your editor.').waitFor();
    await w.idle();
    assert.equal(w.read('a.txt'), 'one\ntwo\nthree\n');
    await w.picture('dirty-buffer');
    await w.tab('a.txt').first().click();
    await w.page.locator('.monaco-editor .view-line').first().click();
    await w.page.keyboard.press('Control+s');
    await w.fileBecomes('a.txt', 'typed one\nzwei\nthree\n');
  });
}
