// What may be completed at the cursor: a slash command at the beginning, a file
// behind an @.
import type { SlashCommand } from '../src/protocol';

/** What is being typed. */
export type Typing = { kind: 'command' | 'file'; query: string; start: number; end: number };

/** What stands before the cursor and can be completed. */
export function typing(text: string, cursor: number): Typing | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/(\S*)$/.exec(before);
  if (command) {
    return { kind: 'command', query: command[1] ?? '', start: 0, end: cursor };
  }
  const file = /(?:^|\s)(@(?:"([^"\n]*)|([^\s@"]*)))$/.exec(before);
  return file ? { kind: 'file', query: file[2] ?? file[3] ?? '', start: cursor - (file[1] ?? '').length, end: cursor } : undefined;
}

/** The commands that begin with what was typed. */
export function matchCommands(commands: SlashCommand[], query: string): SlashCommand[] {
  return commands.filter((c) => c.name.toLowerCase().startsWith(query.toLowerCase()));
}
