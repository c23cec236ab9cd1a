// The browser of the tests.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { remove } from './processes';

/** Starts a browser with a fresh profile, which goes when it is closed. */
export async function openBrowser(): Promise<BrowserContext> {
  const profile = mkdtempSync(join(tmpdir(), 'agentd-browser-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    headless: true,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  browser.on('close', () => remove(profile));
  return browser;
}

function findChromium(): string {
  const found = [process.env['CHROMIUM'] ?? '', ...['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)].find((file) => file !== '' && existsSync(file));
  if (!found) {
    throw new Error('Chromium was not found: run scripts/vscode.sh, or set CHROMIUM');
  }
  return found;
}
