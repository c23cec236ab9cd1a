// Which session a window goes on with after it was loaded anew. It is kept with
// the workspace's state, and holds no more than its id and its folder.
import type * as vscode from 'vscode';

const key = 'agentd.session';

/** A session of the daemon's. */
export interface Remembered {
  id: string;
  folder: string;
}

/** Remembers the session of this workspace. */
export class LastSession {
  constructor(private readonly state: vscode.Memento, private readonly folders: () => string[]) {}

  get(): Remembered | undefined {
    const session = this.state.get<Remembered>(key);
    return session && this.folders().includes(session.folder) ? session : undefined;
  }

  set(session: Remembered | undefined): void {
    // The offline demo works in a folder of its own: it is not gone on with.
    if (!session || this.folders().includes(session.folder)) {
      void this.state.update(key, session);
    }
  }
}
