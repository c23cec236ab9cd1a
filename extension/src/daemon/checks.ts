// What comes from the daemon is looked at before it goes on: another version, or
// another program, may send what nobody here expects. It is left out then, and
// named in the log.
import type { SessionEvent, Update } from '../protocol';

type Fields = Record<string, 'string' | 'object' | 'array' | 'number'>;

/** What an event must have; what else it has is optional. */
const events: Record<SessionEvent['type'], Fields> = {
  message_delta: { messageId: 'string', text: 'string' },
  thought_delta: { messageId: 'string', text: 'string' },
  tool_call: { toolCallId: 'string', tool: 'string', status: 'string' },
  tool_output_delta: { toolCallId: 'string', text: 'string' },
  user_message: { messageId: 'string', content: 'array' },
  session_info: { title: 'string' },
  config: { mode: 'string', model: 'string' },
  plan: { entries: 'array' },
  usage: { request: 'object', session: 'object' },
  state: { state: 'string' },
  notice: { level: 'string', kind: 'string', message: 'string' },
  commands: { commands: 'array' },
  mcp_servers: { servers: 'array' },
  team: { members: 'array' },
};

const states = ['running', 'waiting', 'idle'];

function has(value: unknown, fields: Fields): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const object = value as Record<string, unknown>;
  return Object.entries(fields).every(([name, kind]) => {
    const field = object[name];
    return kind === 'array' ? Array.isArray(field) : typeof field === kind && field !== null;
  });
}

/** Whether an update is one that is known, and whole. */
export function isUpdate(u: unknown): u is Update {
  if (!has(u, { sessionId: 'string', update: 'object' })) {
    return false;
  }
  const event = (u as Update).update;
  const fields = Object.hasOwn(events, event.type) ? events[event.type] : undefined;
  return fields !== undefined && has(event, fields) && (event.type !== 'state' || states.includes(event.state));
}

const questions: Record<'ui/confirm' | 'ui/askUser' | 'buffer/apply', Fields> = {
  'ui/confirm': { confirmId: 'string', sessionId: 'string', title: 'string', choices: 'array' },
  'ui/askUser': { askId: 'string', sessionId: 'string', questions: 'array' },
  'buffer/apply': { uri: 'string', baseVersion: 'number', text: 'string' },
};

/** What is wrong with a request of the daemon's; undefined if nothing is. */
export function problemOf(method: keyof typeof questions, params: unknown): string | undefined {
  return has(params, questions[method]) ? undefined : `${method} needs ${Object.keys(questions[method]).join(', ')}`;
}
