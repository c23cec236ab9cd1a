// Makes src/protocol.ts from the schema that `agentd protocol --json` prints:
// the Go types are the one source. With --check it only compares.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const agentd = process.env.AGENTD ?? fileURLToPath(new URL('../../bin/agentd', import.meta.url));
const target = fileURLToPath(new URL('../src/protocol.ts', import.meta.url));
const schema = JSON.parse(execFileSync(agentd, ['protocol', '--json'], { encoding: 'utf8', maxBuffer: 1 << 24 }));

const types = await compile(
  { $id: 'Protocol', type: 'object', additionalProperties: false, properties: {}, $defs: schema.$defs },
  'Protocol',
  { bannerComment: '', additionalProperties: false, unreachableDefinitions: true, declareExternallyReferenced: true, style: { singleQuote: true, printWidth: 120 } },
);
const name = (ref) => (ref ? ref.$ref.replace('#/$defs/', '') : 'null');
const table = (title, doc, methods, line) =>
  `/** ${doc} */\nexport interface ${title} {\n${methods.map((m) => `  '${m.name}': ${line(m)};`).join('\n')}\n}\n`;
const of = (direction, notification) =>
  schema.methods.filter((m) => (m.direction === direction || m.direction === 'both') && Boolean(m.notification) === notification);
const request = (m) => `{ params: ${name(m.params)}; result: ${name(m.result)} }`;
const text = [
  '// The messages of the agentd protocol: see protocol.md. Made by scripts/protocol.mjs from the Go types; do not edit.\n',
  `/** The version of the protocol that these types describe. */\nexport const protocolVersion = ${schema.protocolVersion};\n`,
  table('ServerRequests', 'Requests to the daemon.', of('client to server', false), request),
  table('ServerNotifications', 'Notifications to the daemon.', of('client to server', true), (m) => name(m.params)),
  table('ClientRequests', 'Requests of the daemon.', of('server to client', false), request),
  table('ClientNotifications', 'Notifications of the daemon.', of('server to client', true), (m) => name(m.params)),
  types.replace(/\/\*\*\n \* This interface was referenced by `Protocol`'s JSON-Schema\n(?: \* via the `definition` "[^"]*"\.\n)+ \*\/\n/g, '').replace(/export interface Protocol \{\}\n/, '').trimStart(),
].join('\n');

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('src/protocol.ts is not what the Go types make: run `make generate`');
    process.exit(1);
  }
} else {
  writeFileSync(target, text);
}
