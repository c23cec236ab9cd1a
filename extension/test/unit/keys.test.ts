import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keys } from '../../src/setup/keys';

function storage(): { get: (name: string) => Promise<string | undefined>; store: (name: string, value: string) => Promise<void>; delete: (name: string) => Promise<void> } {
  const kept = new Map<string, string>();
  return {
    get: async (name) => kept.get(name),
    store: async (name, value) => void kept.set(name, value),
    delete: async (name) => void kept.delete(name),
  };
}

test('a key is for one server and goes to no other', async () => {
  const keys = new Keys(storage());
  await keys.set('', 'cloud');
  assert.equal(await keys.get('http://127.0.0.1:11434/v1'), undefined, 'a server on this machine gets none');
  await keys.set('https://other.example/v1/', 'other');
  assert.deepEqual([await keys.get(''), await keys.get('https://other.example/v1')], ['cloud', 'other']);
  await keys.set('https://other.example/v1', '');
  assert.deepEqual([await keys.get(''), await keys.get('https://other.example/v1')], ['cloud', undefined]);
});

test('all keys are forgotten together', async () => {
  const keys = new Keys(storage());
  await keys.set('', 'cloud');
  await keys.set('https://other.example/v1', 'other');
  await keys.clear();
  assert.deepEqual([await keys.get(''), await keys.get('https://other.example/v1')], [undefined, undefined]);
});

test('what is no list of keys is none', async () => {
  const secrets = storage();
  await secrets.store('agentd.apiKey', 'sk-of-another-time');
  assert.equal(await new Keys(secrets).get(''), undefined);
});
