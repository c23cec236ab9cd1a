// What a screen reader and a keyboard find: axe-core looks over the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { extensionFolder } from './processes';

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/**
 * Fails with what is wrong. Colours are the theme's and are not looked at; the
 * links to files in the line of a call stand in its summary on purpose.
 */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(readFileSync(join(extensionFolder, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8'));
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (where: Document, options: object) => Promise<{ violations: Violation[] }> } };
    return (await axe.run(document, { rules: { 'color-contrast': { enabled: false }, 'nested-interactive': { enabled: false }, 'page-has-heading-one': { enabled: false }, 'document-title': { enabled: false }, 'html-has-lang': { enabled: false } } })).violations;
  });
  assert.deepEqual(found.map((v) => [v.id, ...v.nodes.map((n) => `${n.html.slice(0, 160)}: ${n.failureSummary}`)]), []);
}
