// Makes media/icon.png of media/icon.svg, with the browser that the tests use.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const at = (path) => fileURLToPath(new URL(`../media/${path}`, import.meta.url));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--headless', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
await page.setContent(`<style>body{margin:0}svg{display:block}</style>${readFileSync(at('icon.svg'), 'utf8')}`);
await page.screenshot({ path: at('icon.png'), omitBackground: true });
await browser.close();
