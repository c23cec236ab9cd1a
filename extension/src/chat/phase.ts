// Whether the chat can be used, and what is missing.
import { ResponseError } from 'vscode-jsonrpc/node';
import type { Conversation } from '../session/conversation';
import { NoFolder } from '../session/options';
import { findLocalServers } from '../setup/local';
import type { ChatState } from '../shared/messages';

/** The daemon's error when no model is set up, see protocol.md. */
const authRequired = 1005;

/** The part of the chat's state that says what can be done. */
export type Phase = Pick<ChatState, 'phase' | 'problem' | 'localServer'>;

/** Opens the session and says how that went. */
export async function findPhase(conversation: Conversation): Promise<Phase> {
  try {
    await conversation.open();
    return { phase: 'ready' };
  } catch (error) {
    if (error instanceof NoFolder) {
      return { phase: 'noFolder' };
    }
    const problem = error instanceof Error ? error.message : String(error);
    if (error instanceof ResponseError && error.code === authRequired) {
      const [server] = await findLocalServers();
      return { phase: 'setup', problem, localServer: server && { name: server.name, url: server.url } };
    }
    return { phase: 'failed', problem };
  }
}
