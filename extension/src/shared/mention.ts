// How a message names a file: @ and its path, in quotes where the path has blanks
// or other characters at which a name would end. No editor in here.

/** What ends a sentence and not a path. */
const closing = /[.,;:!?)]+$/;

/** The text that names a path; the address of a resource has no blanks and stays as it is. */
export function mentionOf(path: string): string {
  const plain = /^[a-z][a-z0-9+.-]+:\/\//i.test(path) || path.includes('"') || !(/[\s@]/.test(path) || closing.test(path));
  return plain ? `@${path}` : `@"${path}"`;
}

/** The paths that a message names. */
export function mentionsIn(text: string): string[] {
  const found = [...text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|([^\s@]+))/g)].map(([, quoted, bare = '']) => quoted ?? bare.replace(closing, ''));
  return [...new Set(found.filter(Boolean))];
}
