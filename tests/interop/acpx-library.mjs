// A program over acpx as a library, which shows forms and leaves permissions to
// its host: acpx-library.mjs AGENTD FOLDER. It answers the form, rejects the first
// permission, and leaves the second open until it has cancelled the turn. It prints
// what it has seen as JSON.
import { join } from 'node:path';
import { createAcpRuntime, createAgentRegistry, createRuntimeStore } from 'acpx/runtime';

const [agentd, cwd] = process.argv.slice(2);
const seen = { text: '', forms: [], permissions: [], ends: [] };
let cancelled;
const runtime = createAcpRuntime({
  cwd,
  sessionStore: createRuntimeStore({ stateDir: join(cwd, '../acpx') }),
  agentRegistry: createAgentRegistry({ overrides: { agentd: [agentd, 'acp'] } }),
  permissionMode: 'deny-all',
  elicitationModes: ['form'],
  onPermissionRequest: async ({ raw }, { signal }) => {
    seen.permissions.push(raw.toolCall.title);
    if (seen.permissions.length === 1) return { outcome: 'reject_once' };
    cancelled = runtime.cancel({ handle, reason: 'enough' });
    return new Promise((resolve) => { signal.addEventListener('abort', () => resolve({ outcome: 'cancel' })); });
  },
});
const handle = await runtime.ensureSession({ sessionKey: 'forms', agent: 'agentd', mode: 'persistent', cwd });
for (const text of ['which name', 'go on']) {
  const turn = runtime.startTurn({
    handle, text, mode: 'prompt', requestId: text,
    onElicitation: async (request) => {
      seen.forms.push(request.message);
      return { action: 'accept', content: { q1: 'o2' } };
    },
  });
  for await (const event of turn.events) {
    if (event.type === 'text_delta' && event.stream !== 'thought') seen.text += event.text;
  }
  seen.ends.push((await turn.result).status);
}
await cancelled;
await runtime.shutdown?.();
console.log(JSON.stringify(seen));
process.exit(0);
