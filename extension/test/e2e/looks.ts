// How it looks: themes and widths. The pictures are looked at by people.
import assert from 'node:assert/strict';
import type { Run } from './run';
import { sampleFiles } from './run';
import { scenario } from './scenario';

/** Registers the tests. */
export function looksTests(run: () => Run): void {
  for (const [name, theme] of [['dark', 'Default Dark Modern'], ['high-contrast', 'Default High Contrast']] as const) {
    scenario(run, `the theme is followed: ${name}`, async (w) => {
      await w.send('stream please');
      await w.chat.getByText('Done.').waitFor();
      await w.idle();
      await w.chat.getByTestId('input').fill('/');
      await w.picture(`theme-${name}`);
    }, { files: { ...sampleFiles, '.vscode/settings.json': JSON.stringify({ 'workbench.colorTheme': theme }) } });
  }

  scenario(run, 'a narrow sidebar: nothing is cut off sideways', async (w) => {
    await w.send('narrow command');
    await w.chat.getByTestId('confirm-command').waitFor();
    // The border of the side bar is dragged as far as it goes.
    await w.page.mouse.move(348, 300);
    await w.page.mouse.down();
    await w.page.mouse.move(230, 300, { steps: 5 });
    await w.page.mouse.up();
    await w.page.waitForTimeout(300);
    await w.picture('narrow');
    const overflow = await w.chat.locator('body').evaluate((b) => b.scrollWidth - b.clientWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px too wide`);
    await w.chat.getByTestId('reject').click();
  }, { size: { width: 640, height: 700 } });
}
