// The scripted model server of the Go tests, for tests in JavaScript.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

// startModel starts it; close() says whether every request was as the script wants it.
export async function startModel(script) {
  const child = spawn('go', ['run', './tests/fakemodel/cmd', join(here, script)], { cwd: join(here, '../..'), stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [url] = await once(createInterface(child.stdout), 'line');
  return {
    url,
    async close() {
      child.stdin.end();
      const [code] = await exited;
      return code;
    },
  };
}

// modelEnvironment is the environment of an agentd that uses it and keeps all of
// its own below a folder.
export function modelEnvironment(model, dir) {
  return {
    ...process.env,
    BASE_URL: model.url,
    MODEL: 'fake',
    MODEL_API_KEY: 'fake-key-0123456789abcdef',
    HOME: dir,
    XDG_CONFIG_HOME: join(dir, 'config'),
    XDG_STATE_HOME: join(dir, 'state'),
  };
}
