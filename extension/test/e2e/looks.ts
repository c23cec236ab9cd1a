// How it looks: themes and widths. The pictures are looked at by people.
import assert from 'node:assert/strict';
import type { Run } from './run';
import { sampleFiles } from './run';
import { scenario } from './scenario';
import { until } from './window';

/** Registers the tests. */
export function looksTests(run: () => Run): void {
  for (const [name, theme] of [['dark', 'Default Dark Modern'], ['high-contrast', 'Default High Contrast'], ['high-contrast-light', 'Default High Contrast Light']] as const) {
    scenario(run, `the theme is followed: ${name}`, async (w) => {
      await w.send('theme');
      await w.lens('Accept').first().waitFor();
      const input = w.chat.getByTestId('input');
      await input.fill('and then this');
      await input.press('Alt+Enter');
      await w.chat.getByTestId('queued').waitFor();
      await input.fill('typed meanwhile');
      await w.picture(`theme-${name}-review`);
      await w.chat.getByTestId('queued-remove').click();
      await input.fill('');
      await w.lens('Accept').first().click();
      await w.chat.getByText('It is done.').waitFor();
      await w.idle();
      await w.send('stream please');
      await w.chat.getByText('Done.', { exact: true }).waitFor();
      await w.idle();
      await input.fill('/');
      await w.chat.getByTestId('suggest').waitFor();
      await w.picture(`theme-${name}`);
    }, { files: { ...sampleFiles, '.vscode/settings.json': JSON.stringify({ 'workbench.colorTheme': theme }) } });
  }

  scenario(run, 'a narrow sidebar: nothing is cut off sideways', async (w) => {
    await w.send('narrow command');
    await w.chat.getByTestId('confirm-command').waitFor();
    await w.chat.getByTestId('input').fill('a message that waits for the end of the turn');
    await w.chat.getByTestId('input').press('Alt+Enter');
    await w.chat.getByTestId('queued').waitFor();
    await w.chat.getByTestId('input').fill('and one that is typed');
    // The border of the side bar is dragged as far as it goes.
    await w.page.mouse.move(348, 300);
    await w.page.mouse.down();
    await w.page.mouse.move(230, 300, { steps: 5 });
    await w.page.mouse.up();
    await until(async () => ((await w.page.locator('.part.sidebar').boundingBox())?.width ?? 999) < 250, () => 'the side bar is narrow');
    await w.picture('narrow');
    const overflow = await w.chat.locator('body').evaluate((b) => b.scrollWidth - b.clientWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px too wide`);
    await w.chat.getByTestId('stop').click();
  }, { size: { width: 640, height: 700 } });
}
