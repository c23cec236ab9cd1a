// The tests in a real VS Code of what is changed and of what lives: they share
// one server and one browser; each has a window and a folder of its own.
import { lifeTests } from './life';
import { reviewTests } from './review';
import { runWithModel } from './run';
import { sessionTests } from './sessions';

const run = runWithModel();
reviewTests(run);
lifeTests(run);
sessionTests(run);
