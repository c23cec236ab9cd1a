import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Backoff } from '../../src/daemon/backoff';
import { findBinary } from '../../src/daemon/binary';
import { findLocalServers, listModels } from '../../src/setup/local';

const search = (exists: string[], setting = ''): Parameters<typeof findBinary>[0] => ({
  setting, extensionFolder: '/ext', path: '/usr/bin:relative:/opt/bin', platform: 'linux', exists: (f) => exists.includes(f),
});

test('the setting, then the bundled binary, then PATH', () => {
  assert.equal(findBinary(search(['/ext/bin/agentd', '/opt/bin/agentd', '/my/agentd'], '/my/agentd')), '/my/agentd');
  assert.equal(findBinary(search(['/ext/bin/agentd', '/opt/bin/agentd'])), '/ext/bin/agentd');
  assert.equal(findBinary(search(['/opt/bin/agentd', 'relative/agentd'])), '/opt/bin/agentd');
});

test('a setting that names nothing is not passed over', () => {
  assert.throws(() => findBinary(search(['/ext/bin/agentd'], '/gone')), /no such file/);
  assert.throws(() => findBinary(search(['/ext/bin/agentd'], 'agentd')), /absolute/);
  assert.throws(() => findBinary(search([])), /was not found/);
});

test('back-off doubles, gives up, and forgets', () => {
  let now = 0;
  const b = new Backoff(1000, 3, () => now);
  assert.deepEqual([b.crashed(), b.crashed(), b.crashed(), b.crashed()], [250, 500, 1000, undefined]);
  now = 5000;
  assert.equal(b.crashed(), 250);
  b.reset();
  assert.equal(b.crashed(), 250);
});

async function serve(status: number, body: string): Promise<{ url: string; server: Server }> {
  const server = createServer((_, res) => res.writeHead(status).end(body));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, server };
}

test('a local server counts when it answers with models', async () => {
  const good = await serve(200, '{"data":[{"id":"b"},{"id":"a"}]}');
  const other = await serve(200, '<html>');
  const broken = await serve(500, '');
  const found = await findLocalServers([{ name: 'Good', url: good.url }, { name: 'Other', url: other.url }, { name: 'Broken', url: broken.url }], 2000);
  assert.deepEqual(found, [{ name: 'Good', url: good.url, models: ['a', 'b'] }]);
  await assert.rejects(listModels(broken.url, undefined), /500/);
  [good, other, broken].forEach(({ server }) => server.close());
});
