// A test with a window of its own. When it fails, what is needed to understand it is kept.
import { test } from 'node:test';
import { keepEvidence } from './evidence';
import type { Run } from './run';
import { Window } from './window';

/** How the window of a test begins. */
export interface Begin {
  files?: Record<string, string>;
  size?: { width: number; height: number };
  /** A workspace file among the files that is opened in place of the folder. */
  workspace?: string;
}

/** Registers a test. */
export function scenario(run: () => Run, name: string, body: (w: Window) => Promise<void>, begin: Begin = {}): void {
  test(name, async () => {
    const started = Date.now();
    const w = await run().window(begin.files, begin.size);
    try {
      await w.load(begin.workspace);
      await body(w);
    } catch (error) {
      await keepEvidence(name, w, run().server, started);
      throw error;
    } finally {
      await w.close();
    }
  });
}
