// What is done from elsewhere in the editor: menus, commands, source control.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Run } from './run';
import { sampleFiles } from './run';
import { scenario } from './scenario';
import { until } from './window';

/** Registers the tests. */
export function actionTests(run: () => Run): void {
  scenario(run, 'a selection is explained', async (w) => {
    await w.openFile('a.txt');
    await w.page.locator('.monaco-editor .view-line').nth(1).click();
    await w.command('agentd: Explain');
    await w.chat.getByText('The second line says two.').waitFor();
    await w.picture('explain');
  });

  scenario(run, 'a question is asked about a selection, without going to the chat first', async (w) => {
    await w.openFile('a.txt');
    await w.page.locator('.monaco-editor .view-line').nth(1).click();
    await w.command('agentd: Ask About Selection');
    const input = w.page.locator('.quick-input-widget input');
    await w.page.locator('.quick-input-widget', { hasText: 'About the selected lines' }).waitFor();
    await input.first().fill('Is that the second one?');
    await w.picture('ask');
    await w.page.keyboard.press('Enter');
    await w.chat.getByText('It is the second one.').waitFor();
  });

  scenario(run, 'a problem is sent to be fixed', async (w) => {
    await w.openFile('bad.json');
    await w.page.locator('.squiggly-error').first().waitFor();
    await w.page.locator('.monaco-editor .view-line').first().click();
    await w.page.keyboard.press('F8'); // to the problem
    // The editor says at first that there is nothing, until it has asked all extensions.
    const action = w.page.locator('.action-widget .monaco-list-row', { hasText: 'Fix with agentd' });
    await until(async () => {
      await w.page.keyboard.press('Control+.');
      return action.waitFor({ timeout: 1500 }).then(() => true, () => false);
    }, () => 'the action is offered');
    await w.page.keyboard.press('Enter');
    await w.chat.getByText('I would add a value.').waitFor();
    await w.picture('fix');
  }, { files: { 'bad.json': '{ "a": }\n' } });

  scenario(run, 'a commit message is written from what is staged; the servers of the folder are not asked about', async (w) => {
    const git = (...args: string[]): void => void execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: w.folder, stdio: 'pipe' });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    w.write('a.txt', 'one\nzwei\nthree\n');
    git('add', '.');
    await w.reload();
    await w.page.locator('.activitybar a.action-label[aria-label^="Source Control"]').click();
    await w.page.locator('.pane-header', { hasText: 'Changes' }).first().hover(); // its actions show only then
    await w.page.locator('a.action-label[aria-label^="Write Commit Message"]').first().click();
    await w.page.locator('.scm-editor .view-line', { hasText: 'Say zwei instead of two' }).waitFor();
    await w.picture('commit-message');
    assert.equal(await w.page.locator('.statusbar-item', { hasText: 'agentd: 1 question' }).count(), 0);
  }, { files: { ...sampleFiles, '.vscode/settings.json': '{ "git.enabled": true }', '.mcp.json': '{ "mcpServers": { "none": { "command": "true" } } }' } });
}
