import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

test('what is shipped beside the binary has less than a megabyte, and no proposed API', () => {
  const files = ['extension.js', ...readdirSync('dist/webview').map((name) => join('webview', name))];
  const bytes = files.reduce((sum, name) => sum + statSync(join('dist', name)).size, 0);
  assert.ok(bytes < 1_000_000, `${bytes} bytes`);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { vscode: string }; extensionKind: string[]; enabledApiProposals?: unknown };
  assert.equal(manifest.engines.vscode, '^1.100.0');
  assert.deepEqual(manifest.extensionKind, ['workspace']);
  assert.equal(manifest.enabledApiProposals, undefined);
});
