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

  scenario(run, 'two windows do not disturb each other', async (one) => {
    const two = await run().window();
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
