// What may be completed at the cursor: a slash command at the beginning, a file
// behind an @.
import type { SlashCommand } from '../src/protocol';

/** What is being typed. */
export type Typing = { kind: 'command' | 'file'; query: string; start: number };

/** What stands before the cursor and can be completed. */
export function typing(text: string, cursor: number): Typing | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/(\w*)$/.exec(before);
  if (command) {
    return { kind: 'command', query: command[1] ?? '', start: 0 };
  }
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  return file ? { kind: 'file', query: file[1] ?? '', start: before.length - (file[1] ?? '').length - 1 } : undefined;
}

/** The commands that begin with what was typed. */
export function matchCommands(commands: SlashCommand[], query: string): SlashCommand[] {
  return commands.filter((c) => c.name.startsWith(query.toLowerCase()));
}
