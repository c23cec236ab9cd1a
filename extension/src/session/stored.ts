// The stored sessions of the folders of this window.
import type { Info } from '../protocol';
import type { Daemon } from '../daemon/daemon';

const pageSize = 100;
/** So many of one folder are listed at most. */
const most = 5000;

/** Lists and changes them. */
export class StoredSessions {
  constructor(private readonly daemon: Daemon, private readonly folders: () => string[]) {}

  /** The newest ones. */
  async recent(limit: number): Promise<Info[]> {
    const { connection } = await this.daemon.ready();
    const lists = await Promise.all(this.folders().map((cwd) => connection.request('session/list', { cwd, limit })));
    return lists.flatMap((l) => l.sessions).sort(newest).slice(0, limit);
  }

  /** All of them, page by page; each time it gives what is known by then. */
  async *pages(): AsyncGenerator<Info[]> {
    const { connection } = await this.daemon.ready();
    let known: Info[] = [];
    for (const cwd of this.folders()) {
      let cursor: string | undefined;
      let count = 0;
      do {
        const page = await connection.request('session/list', { cwd, cursor, limit: pageSize });
        count += page.sessions.length;
        cursor = page.nextCursor;
        known = [...known, ...page.sessions].sort(newest);
        yield known;
      } while (cursor !== undefined && count < most);
    }
  }

  async rename(sessionId: string, title: string): Promise<void> {
    const { connection } = await this.daemon.ready();
    await connection.request('session/rename', { sessionId, title });
  }

  async delete(sessionId: string): Promise<void> {
    const { connection } = await this.daemon.ready();
    await connection.request('session/delete', { sessionId });
  }

  /** Makes a copy up to the end of a turn, called like the other one and marked; gives its id. */
  async fork(sessionId: string, title: string, turnId?: string): Promise<string> {
    const { connection } = await this.daemon.ready();
    const made = await connection.request('session/fork', { sessionId, turnId });
    await connection.request('session/rename', { sessionId: made.sessionId, title: forkTitle(title) });
    return made.sessionId;
  }
}

/** What a fork is called: "Title (2)", then "Title (3)". */
export function forkTitle(title: string): string {
  const m = /^(.*) \((\d+)\)$/.exec(title);
  return m ? `${m[1] ?? ''} (${Number(m[2]) + 1})` : `${title || 'Chat'} (2)`;
}

function newest(a: Info, b: Info): number {
  return b.updatedAt.localeCompare(a.updatedAt);
}
