// A VS Code window in a test: what a person does in it, and what they see.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { artifacts } from './evidence';
import { remove } from './processes';

/** Waiting longer costs nothing when it is green: the machine may be busy. */
export const patience = Number(process.env['PATIENCE_MS'] ?? 90_000);
const mostSaid = 2000;

/** One window with a folder of its own. */
export class Window {
  /** What the page wrote to its console. */
  readonly said: string[] = [];
  private what = '';

  private constructor(readonly page: Page, readonly folder: string, private readonly port: number) {
    page.on('console', (m) => this.hear(`${m.type()}: ${m.text()}`));
    page.on('pageerror', (e) => this.hear(`error: ${e.message}`));
  }

  /** Makes a window on a fresh folder with these files; nothing is loaded yet. */
  static async open(browser: BrowserContext, port: number, files: Record<string, string>, size = { width: 1280, height: 800 }): Promise<Window> {
    const folder = mkdtempSync(join(tmpdir(), 'agentd-folder-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const page = await browser.newPage();
    await page.setViewportSize(size);
    page.setDefaultTimeout(patience);
    return new Window(page, folder, port);
  }

  /** Loads the window, also again: its folder, or a workspace file in it. */
  async load(workspace?: string): Promise<void> {
    this.what = workspace === undefined ? `folder=${this.folder}` : `workspace=${join(this.folder, workspace)}`;
    await this.reload();
  }

  /** Loads the window with the extension under development, and has its extension host run the tests of a file. */
  async loadForTests(extension: string, tests: string): Promise<void> {
    const remote = `vscode-remote://127.0.0.1:${this.port}`;
    const payload = JSON.stringify([['extensionDevelopmentPath', remote + extension], ['extensionTestsPath', remote + tests]]);
    await this.page.goto(`http://127.0.0.1:${this.port}/?folder=${this.folder}&payload=${encodeURIComponent(payload)}`);
  }

  /** Loads the window again. */
  async reload(): Promise<void> {
    do {
      await this.forgetWorkers();
      await this.page.goto(`http://127.0.0.1:${this.port}/?${this.what}`);
      await this.page.locator('.activitybar a.action-label[aria-label^="agentd"]').waitFor();
    } while (!(await this.hasFolders()));
  }

  /**
   * On a busy machine the browser's editor sometimes opens a workspace file without
   * its folders: its own Explorer says that there are none, and no event tells of
   * them later. Loaded again it has them. No extension can do anything about it.
   */
  private async hasFolders(): Promise<boolean> {
    if (!this.what.startsWith('workspace=')) {
      return true;
    }
    const explorer = this.page.locator('.activitybar .action-item', { has: this.page.locator('a.action-label[aria-label^="Explorer"]') }).first();
    if (!(await explorer.getAttribute('class'))?.includes('checked')) {
      await explorer.locator('a').click();
    }
    const row = this.page.locator('.explorer-folders-view .monaco-list-row').first();
    const none = this.page.getByText('You have not yet added a folder to the workspace');
    await row.or(none).first().waitFor();
    return row.isVisible();
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

  /** The lenses of a review with exactly this text; an icon stands before it. */
  lens(text: string): Locator {
    return this.page.locator('.monaco-diff-editor .codelens-decoration a', { hasText: new RegExp(`^[^\\w]*${text}$`) });
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

  /** The window is left for another one, as the editor is told of it. */
  async loseFocus(): Promise<void> {
    await this.page.evaluate(() => {
      document.hasFocus = () => false;
      window.dispatchEvent(new Event('blur'));
    });
  }

  /** Back to the window. */
  async gainFocus(): Promise<void> {
    await this.page.evaluate(() => {
      document.hasFocus = () => true;
      window.dispatchEvent(new Event('focus'));
    });
  }

  /** Keeps a picture. */
  async picture(name: string): Promise<void> {
    mkdirSync(artifacts, { recursive: true });
    await this.page.screenshot({ path: join(artifacts, `${name}.png`) });
  }

  async close(): Promise<void> {
    if (this.page.isClosed()) {
      return;
    }
    await this.forgetWorkers();
    // Leaving the page ends its extension host; just closing it would leave it to wait for a reconnection.
    await this.page.goto('about:blank');
    await this.page.close();
    remove(this.folder);
  }

  /** The next web view need not wait until the service worker of this one has given way: that takes seconds. */
  private async forgetWorkers(): Promise<void> {
    if (this.page.url().startsWith('http:')) {
      await this.page.evaluate(async () => {
        await Promise.all((await navigator.serviceWorker.getRegistrations()).map((r) => r.unregister()));
      });
    }
  }

  private hear(line: string): void {
    this.said.push(line.slice(0, 2000));
    this.said.splice(0, this.said.length - mostSaid);
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
