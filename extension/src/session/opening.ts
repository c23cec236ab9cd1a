// Opening the session behind a conversation: a new one, or a stored one, whose
// updates come again before the reply.
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModeInfo, SessionNewResult, Update } from '../protocol';
import type { Daemon, Running } from '../daemon/daemon';
import type { SessionChoice } from './options';

/** A stored session that is to be opened. */
export interface Target {
  id: string;
  /** The folder that it works in, if it is known. */
  folder?: string;
  /** The chat shows it already: what comes again is left out. */
  shown?: boolean;
  /** Nobody has asked for it by name: if it cannot be opened there will be a new one. */
  guess?: boolean;
  /** Another model or mode than it had. */
  model?: string;
  mode?: ModeInfo['id'];
}

/** A session that has been opened. */
export interface Opened {
  made: SessionNewResult;
  /** What happened in it, if it was stored. */
  updates: Update[];
  loaded: boolean;
  /** Why the stored one could not be opened. */
  problem?: string;
}

/** Another process has the session open, see protocol.md. */
const locked = 1003;

/** Opens a session. */
export async function openSession(daemon: Daemon, options: SessionChoice, target: Target | undefined): Promise<Opened> {
  const running = await daemon.ready();
  let problem: string | undefined;
  if (target) {
    try {
      return await load(daemon, running, options, target);
    } catch (error) {
      if (!target.guess || !(error instanceof ResponseError) || error.code === ErrorCodes.PendingResponseRejected) {
        throw error;
      }
      problem = error.message;
    }
  }
  const made = await running.connection.request('session/new', options);
  return { made, updates: [], loaded: false, problem };
}

async function load(daemon: Daemon, running: Running, { cwd, roots, mode, enable, trusted }: SessionChoice, target: Target): Promise<Opened> {
  let updates: Update[] = [];
  const listener = daemon.onUpdate((u) => {
    if (u.sessionId === target.id) {
      updates.push(u);
    }
  });
  // Mode and model are as they were; in a folder that is not trusted there is but one mode.
  const params = { sessionId: target.id, roots: [cwd, ...(roots ?? [])], enable, trusted, mode: trusted ? target.mode : mode, model: target.model };
  try {
    // A daemon that is about to end may hold the session for a moment.
    for (let left = 12; ; left -= 1) {
      try {
        updates = [];
        const made = await running.connection.request('session/load', params);
        return { made, updates, loaded: true };
      } catch (error) {
        if (left === 0 || !(error instanceof ResponseError) || error.code !== locked) {
          throw error;
        }
        await sleep(200);
      }
    }
  } finally {
    listener.dispose();
  }
}
