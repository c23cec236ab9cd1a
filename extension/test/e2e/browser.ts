// The browser of the tests.
import { existsSync } from 'node:fs';
import { chromium, type BrowserContext } from 'playwright-core';

/** Starts a browser with a fresh profile. */
export async function openBrowser(profile: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    headless: true,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

function findChromium(): string {
  const found = [process.env['CHROMIUM'] ?? '', ...['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)].find((file) => file !== '' && existsSync(file));
  if (!found) {
    throw new Error('Chromium was not found: run scripts/vscode.sh, or set CHROMIUM');
  }
  return found;
}
