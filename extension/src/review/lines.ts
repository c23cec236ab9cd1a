// Texts as lines, in the editor's way: endings do not count, the daemon keeps
// those of the file.

/** The text with plain line endings. */
export function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** The lines of a plain text, each with its ending; the last may have none. */
export function split(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
