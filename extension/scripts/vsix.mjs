// Packages the extension with the agentd binary for one platform:
//   node scripts/vsix.mjs [--target linux-x64] [--out FILE]
// Without --target it is the platform of this machine.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { values } = parseArgs({ options: { target: { type: 'string' }, out: { type: 'string' } } });
const target = values.target ?? `${process.platform}-${process.arch}`;
const out = values.out ?? `agentd-${target}.vsix`;
const [platform, arch] = target.split('-');
const goos = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[platform];
const goarch = { x64: 'amd64', arm64: 'arm64' }[arch];
if (!goos || !goarch) {
  console.error(`There is no package for ${target}. There are linux, darwin and win32, each with -x64 and -arm64.`);
  process.exit(1);
}
const run = (command, args, options = {}) => execFileSync(command, args, { stdio: 'inherit', cwd: at('.'), ...options });

rmSync(at('bin'), { recursive: true, force: true });
mkdirSync(at('bin'));
const binary = at(`bin/agentd${goos === 'windows' ? '.exe' : ''}`);
// The binary of this machine is what `make build` has made.
if (target === `${process.platform}-${process.arch}` && process.env.AGENTD) {
  copyFileSync(process.env.AGENTD, binary);
} else {
  const version = execFileSync('git', ['describe', '--tags', '--always', '--dirty'], { cwd: at('.'), encoding: 'utf8' }).trim();
  run('go', ['build', '-trimpath', '-ldflags', `-s -w -X main.version=${version}`, '-o', binary, './cmd/agentd'], {
    cwd: at('..'), env: { ...process.env, GOOS: goos, GOARCH: goarch, CGO_ENABLED: '0' },
  });
}
run(process.execPath, ['scripts/build.mjs']);
copyFileSync(at('../LICENSE'), at('LICENSE'));
run(process.execPath, ['node_modules/@vscode/vsce/vsce', 'package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--target', target, '--out', out]);
