// `make install-extension`: the package goes into the editors that are found.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { extensionFolder, remove, serverFolder } from './processes';

const folder = mkdtempSync(join(tmpdir(), 'agentd-install-'));
after(() => remove(folder));

/** An editor's command line in a PATH of its own. */
function editor(name: string, script: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

function install(vsix: string): { status: number | null; output: string } {
  const run = spawnSync(process.execPath, [join(extensionFolder, 'scripts', 'install.mjs'), vsix], { encoding: 'utf8', env: { PATH: folder } });
  return { status: run.status, output: run.stdout + run.stderr };
}

test('without an editor it says what to do', () => {
  const { status, output } = install('/tmp/x.vsix');
  assert.equal(status, 1);
  assert.match(output, /No editor was found/);
  assert.match(output, /Install from VSIX/);
});

test('it is put into VS Code and into a VS Code server', async () => {
  const vsix = process.env['VSIX'] ?? join(extensionFolder, '..', 'bin', 'agentd.vsix');
  const server = await serverFolder();
  symlinkSync('/bin/sh', join(folder, 'sh'));
  editor('code', `[ "$1" = --version ] && echo 1.100.3 || echo "$@" >> ${join(folder, 'code.log')}`);
  const flags = `--accept-server-license-terms --server-data-dir ${folder}/data --user-data-dir ${folder}/data/ud --extensions-dir ${folder}/extensions`;
  editor('code-server', `HOME=${folder} exec ${process.execPath} ${join(server, 'out', 'server-main.js')} ${flags} "$@"`);
  const { status, output } = install(vsix);
  assert.equal(status, 0, output);
  assert.equal(readFileSync(join(folder, 'code.log'), 'utf8').trim(), `--install-extension ${vsix} --force`);
  assert.match(output, /code-server:/);
  const listed = execFileSync(join(folder, 'code-server'), ['--list-extensions'], { encoding: 'utf8', env: { PATH: folder } });
  assert.match(listed, /agentd-dev\.agentd/);
});
