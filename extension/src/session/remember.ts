// Which session a window goes on with after it was loaded anew: its id and its
// folder, in a file of the workspace's storage. The editor writes its own state
// only now and then, and a window that is closed at once would forget.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A session of the daemon's. */
export interface Remembered {
  id: string;
  folder: string;
}

/** Remembers the session of this workspace. */
export class LastSession {
  /** Without a file nothing is remembered. */
  constructor(private readonly file: string | undefined, private readonly folders: () => string[]) {}

  /** The session, if it is one of the folders that are open. */
  get(): Remembered | undefined {
    try {
      const { id, folder } = JSON.parse(readFileSync(this.file ?? '', 'utf8')) as Partial<Remembered>;
      return typeof id === 'string' && typeof folder === 'string' && this.folders().includes(folder) ? { id, folder } : undefined;
    } catch {
      return undefined;
    }
  }

  /** The offline demo works in a folder of its own: it is not remembered. */
  set(session: Remembered | undefined): void {
    if (this.file === undefined || (session && !this.folders().includes(session.folder))) {
      return;
    }
    try {
      if (session) {
        mkdirSync(dirname(this.file), { recursive: true });
        writeFileSync(this.file, JSON.stringify(session));
      } else {
        rmSync(this.file, { force: true });
      }
    } catch {
      // the next window begins with a new chat
    }
  }
}
