// How it looks: themes and widths. The pictures are looked at by people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from './run';
import { sampleFiles } from './run';

/** Registers the tests. */
export function looksTests(run: () => Run): void {
  for (const [name, theme] of [['dark', 'Default Dark Modern'], ['high-contrast', 'Default High Contrast']] as const) {
    test(`the theme is followed: ${name}`, async () => {
      const w = await run().window({ ...sampleFiles, '.vscode/settings.json': JSON.stringify({ 'workbench.colorTheme': theme }) });
      await w.send('stream please');
      await w.chat.getByText('Done.').waitFor();
      await w.idle();
      await w.picture(`theme-${name}-chat`);
      await w.send('three places and more');
      await w.close();
    });
  }

  test('a narrow sidebar: nothing is cut off sideways', async () => {
    const w = await run().window(sampleFiles, { width: 640, height: 700 });
    await w.send('run a command');
    await w.chat.getByTestId('confirm-command').waitFor();
    const sash = w.page.locator('.monaco-sash.vertical').first();
    await sash.waitFor({ state: 'attached' });
    await w.picture('narrow');
    const overflow = await w.chat.locator('body').evaluate((b) => b.scrollWidth - b.clientWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px too wide`);
    await w.chat.getByTestId('reject').click();
    await w.close();
  });
}
