// The tests in a real VS Code with a model: one server and one browser for all,
// a window and a folder of its own for each.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { actionTests } from './actions';
import { chatTests } from './chat';
import { lifeTests } from './life';
import { looksTests } from './looks';
import { reviewTests } from './review';
import { start, type Run } from './run';

let run: Run;
before(async () => {
  run = await start((model) => ({ 'agentd.baseUrl': model.url, 'agentd.model': 'fake', 'agentd.enableTools': ['run_command'] }));
});
after(async () => {
  assert.equal(await run.stop(), '', 'what the model was asked');
});

reviewTests(() => run);
chatTests(() => run);
actionTests(() => run);
lifeTests(() => run);
looksTests(() => run);
