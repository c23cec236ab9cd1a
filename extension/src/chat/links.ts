// What a link in a reply means.
import { fileURLToPath } from 'node:url';

/** A link to a file: "a/b.go", "a/b.go:12", "a/b.go#L12", "file:///a/b.go". Other schemes are none. */
export function parseFileLink(href: string): { path: string; line?: number } | undefined {
  let path = href;
  try {
    path = /^file:\/\//i.test(href) ? fileURLToPath(href.replace(/#.*$/, '')) + (/#.*$/.exec(href)?.[0] ?? '') : decodeURIComponent(href);
  } catch {
    // badly encoded: as it is
  }
  if (/^[a-z][a-z0-9+.-]+:(?!\d+(?:[:-]\d+)*$)/i.test(path) && !/^[a-z]:[\\/]/i.test(path)) {
    return undefined;
  }
  const m = /^(.+?)(?:#L|:)(\d+)(?:[-:].*)?$/.exec(path);
  return m?.[1] === undefined ? { path } : { path: m[1], line: Number(m[2]) };
}
