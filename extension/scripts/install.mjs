// Puts a VSIX into the editors of this machine: node scripts/install.mjs FILE
import { execFileSync, spawnSync } from 'node:child_process';

const editors = [['code', 'VS Code'], ['code-insiders', 'VS Code Insiders'], ['codium', 'VSCodium'], ['cursor', 'Cursor'], ['code-server', 'code-server']];
const [vsix] = process.argv.slice(2);
const shell = process.platform === 'win32'; // there they are .cmd files
const found = editors.filter(([command]) => spawnSync(command, ['--version'], { stdio: 'ignore', shell }).status === 0);
if (!vsix || found.length === 0) {
  console.error(vsix
    ? `No editor was found: none of ${editors.map(([command]) => command).join(', ')} is on the PATH. In the editor, run "Extensions: Install from VSIX..." and choose ${vsix}`
    : 'Use: node scripts/install.mjs FILE.vsix');
  process.exit(1);
}
for (const [command, name] of found) {
  console.log(`${name}:`);
  execFileSync(command, ['--install-extension', vsix, '--force'], { stdio: 'inherit', shell });
}
