// Bundles the extension (dist/extension.js), its webview (dist/webview) and,
// with --tests, the tests (dist/test). The sample project of the offline demo
// is taken from where `agentd demo` has it.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const production = !process.argv.includes('--dev');

const shared = { absWorkingDir: at('.'), bundle: true, minify: production, sourcemap: production ? false : 'linked', logLevel: 'warning', legalComments: 'none' };
const node = { ...shared, platform: 'node', format: 'cjs', target: 'node20', external: ['vscode'], mainFields: ['module', 'main'] };
const bundles = [
  { ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js' },
  {
    ...shared, platform: 'browser', format: 'iife', target: 'es2022', outdir: 'dist/webview',
    entryPoints: ['webview/main.ts', 'webview/style.css'], external: ['*.ttf'],
  },
];
if (process.argv.includes('--tests')) {
  const of = (folder) => readdirSync(at(`test/${folder}`)).filter((f) => f.endsWith('.test.ts')).map((f) => `test/${folder}/${f}`);
  bundles.push({
    ...node, minify: false, sourcemap: 'inline', external: ['vscode', 'playwright-core', 'mocha'],
    entryPoints: [...of('unit'), ...of('e2e'), ...of('host'), 'test/host/index.ts'], outdir: 'dist/test', outbase: 'test',
  });
}

rmSync(at('dist'), { recursive: true, force: true });
mkdirSync(at('dist/webview'), { recursive: true });
for (const file of ['codicon.css', 'codicon.ttf']) {
  cpSync(at(`node_modules/@vscode/codicons/dist/${file}`), at(`dist/webview/${file}`));
}
cpSync(at('../cmd/agentd/demo/sample'), at('dist/sample'), { recursive: true });

if (process.argv.includes('--watch')) {
  await Promise.all(bundles.map(async (b) => (await context(b)).watch()));
} else {
  await Promise.all(bundles.map((b) => build(b)));
}
