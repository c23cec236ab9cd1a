// The tests in a real VS Code of what is seen and said: they share one server
// and one browser; each has a window and a folder of its own.
import { actionTests } from './actions';
import { attachTests } from './attach';
import { chatTests } from './chat';
import { looksTests } from './looks';
import { runWithModel } from './run';
import { serverTests } from './servers';

const run = runWithModel();
chatTests(run);
actionTests(run);
attachTests(run);
serverTests(run);
looksTests(run);
