// The chat's page alone in a browser, without an editor around it: for what is
// measured, and for attacks that need a page to look into.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { ToView } from '../../src/shared/messages';
import { extensionFolder } from './processes';

/** Opens the page under the policy that it has in the editor. */
export async function openPage(browser: BrowserContext): Promise<Page> {
  const page = await browser.newPage();
  const dist = (name: string): string => readFileSync(join(extensionFolder, 'dist', 'webview', name), 'utf8');
  const html = `<!DOCTYPE html><html><head>
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-n'; style-src 'self' 'nonce-n'; font-src 'self'; base-uri 'none'; form-action 'none'">
    <link id="vscode-codicon-stylesheet" rel="stylesheet" href="/codicon.css" nonce="n"><link rel="stylesheet" href="/style.css" nonce="n">
    </head><body><main id="app"></main>
    <script nonce="n">window.posted = []; window.acquireVsCodeApi = () => ({ postMessage: (m) => window.posted.push(m), getState: () => undefined, setState: () => undefined });</script>
    <script nonce="n" src="/main.js"></script></body></html>`;
  await page.route('http://chat.test/**', async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const type = name.endsWith('.js') ? 'text/javascript' : name.endsWith('.css') ? 'text/css' : 'text/html';
    await route.fulfill({ contentType: type, body: name === '' ? html : name.endsWith('.ttf') ? '' : dist(name) });
  });
  await page.goto('http://chat.test/');
  await send(page, {
    type: 'state',
    state: { phase: 'ready', activity: 'idle', mode: 'ask', modeName: 'Ask', model: 'fake', folder: '/w', commands: [], plan: [], pending: [], recent: [] },
  });
  return page;
}

/** Sends the page a message, as the extension does. */
export async function send(page: Page, message: ToView): Promise<void> {
  await page.evaluate((m) => window.postMessage(m, '*'), message);
}
