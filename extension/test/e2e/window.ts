// A VS Code window in a test: what a person does in it, and what they see.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { extensionFolder, remove } from './processes';

const patience = 30_000;

/** One window with a folder of its own. */
export class Window {
  private constructor(readonly page: Page, readonly folder: string, private readonly port: number) {}

  /** Opens a window on a fresh folder with these files. */
  static async open(browser: BrowserContext, port: number, files: Record<string, string>, size = { width: 1280, height: 800 }): Promise<Window> {
    const folder = mkdtempSync(join(tmpdir(), 'agentd-folder-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const page = await browser.newPage();
    await page.setViewportSize(size);
    page.setDefaultTimeout(patience);
    const window = new Window(page, folder, port);
    await window.reload();
    return window;
  }

  /** Loads the window, also again. */
  async reload(): Promise<void> {
    const workspace = readdirSync(this.folder).find((name) => name.endsWith('.code-workspace'));
    const what = workspace === undefined ? `folder=${this.folder}` : `workspace=${join(this.folder, workspace)}`;
    await this.page.goto(`http://127.0.0.1:${this.port}/?${what}`);
    await this.page.locator('.activitybar a.action-label[aria-label^="agentd"]').waitFor();
  }

  /** Brings the chat to the front. */
  async openChat(): Promise<void> {
    const icon = this.page.locator('.activitybar .action-item', { has: this.page.locator('a.action-label[aria-label^="agentd"]') });
    if (!(await icon.first().getAttribute('class'))?.includes('checked')) {
      await icon.first().locator('a').click();
    }
    await this.page.mouse.move(700, 500); // else the icon's hover covers the chat
    await this.chat.getByTestId('welcome').waitFor({ state: 'attached' });
  }

  /** The chat's page. */
  get chat(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** Waits until the chat can be used. */
  async ready(): Promise<void> {
    await this.openChat();
    await this.chat.getByTestId('input').waitFor();
  }

  /** Sends a message. */
  async send(text: string): Promise<void> {
    await this.ready();
    await this.chat.getByTestId('input').fill(text);
    await this.chat.getByTestId('input').press('Enter');
  }

  /** Waits for the end of the turn. */
  async idle(): Promise<void> {
    await this.chat.getByTestId('stop').waitFor({ state: 'hidden' });
  }

  /** Runs a command of the palette. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget input[type="text"]');
    await input.fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
  }

  /** The diff editor of a review. */
  get diff(): Locator {
    return this.page.locator('.monaco-diff-editor');
  }

  /** The lenses of a review with this text. */
  lens(text: string): Locator {
    return this.page.locator('.monaco-diff-editor .codelens-decoration a', { hasText: text });
  }

  /** An action in the title of the active editor. */
  titleAction(label: string): Locator {
    return this.page.locator(`.editor-group-container.active .editor-actions a.action-label[aria-label^="${label}"]`);
  }

  /** A tab with this text. */
  tab(text: string): Locator {
    return this.page.locator('.tab', { hasText: text });
  }

  /** Opens a file in the editor. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+p');
    await this.page.locator('.quick-input-widget input[type="text"]').fill(name);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
    await this.tab(name).first().waitFor();
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Waits until a file has this text. */
  async fileBecomes(name: string, text: string): Promise<void> {
    await until(() => this.read(name) === text, () => `${name} is ${JSON.stringify(this.read(name))}`);
  }

  /** Keeps a picture. */
  async picture(name: string): Promise<void> {
    const folder = join(extensionFolder, 'test', 'artifacts');
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`) });
  }

  async close(): Promise<void> {
    if (this.page.isClosed()) {
      return;
    }
    // Leaving the page ends its extension host; just closing it would leave it to wait for a reconnection.
    await this.page.goto('about:blank');
    await this.page.close();
    remove(this.folder);
  }
}

/** Waits until something holds. */
export async function until(holds: () => boolean | Promise<boolean>, why: () => string, timeoutMs = patience): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) {
      throw new Error(`waited in vain: ${why()}`);
    }
    await sleep(50);
  }
}
