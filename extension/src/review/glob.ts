// Names of files as patterns.

/** The pattern that means exactly this name: "[id].tsx" is a name, and a pattern for two others. */
export function globOf(name: string): string {
  return name.replace(/[[\]{}*?]/g, '[$&]'); // the editor drops one that closes nothing
}
