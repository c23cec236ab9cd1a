// A test with a window of its own. When it fails, a picture says what was seen.
import { test } from 'node:test';
import type { Run } from './run';
import { Window } from './window';

/** How the window of a test begins. */
export interface Begin {
  files?: Record<string, string>;
  size?: { width: number; height: number };
}

/** Registers a test. */
export function scenario(run: () => Run, name: string, body: (w: Window) => Promise<void>, begin: Begin = {}): void {
  test(name, async () => {
    const w = await run().window(begin.files, begin.size);
    try {
      await body(w);
    } catch (error) {
      await w.picture(`failed ${name.slice(0, 40)}`);
      const welcome = await w.chat.getByTestId('welcome').textContent({ timeout: 1000 }).catch(() => 'no chat');
      console.error(`what the chat said in "${name}": ${welcome ?? ''}`);
      throw error;
    } finally {
      await w.close();
    }
  });
}
