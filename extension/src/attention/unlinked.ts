// The editor makes links of what looks like one in a notification, also such that
// run commands. What a model, a server or a file's name says must not become one.

/** Longer texts are cut: a notification is one line or two. */
const most = 300;

/** A text for a notification in which nothing is a link. */
export function unlinked(text: unknown): string {
  const plain = (text instanceof Error ? text.message : String(text)).replace(/\s+/g, ' ').replace(/\]\(/g, '] (');
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}
