// Which of many paths a few typed letters mean best.
import type { FileMatch } from '../shared/messages';

/** How well a file fits; undefined when it does not. Less is better. */
function score(file: FileMatch, query: string): number | undefined {
  const name = file.name.toLowerCase();
  const path = file.path.toLowerCase();
  if (name.startsWith(query)) {
    return name.length;
  }
  if (name.includes(query)) {
    return 1000 + name.length;
  }
  if (path.includes(query)) {
    return 2000 + path.length;
  }
  let at = 0;
  for (const letter of query) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) {
      return undefined;
    }
  }
  return 3000 + path.length;
}

/** The best matches, the best first; without a query, the shortest paths. */
export function rank(files: FileMatch[], query: string, limit: number): FileMatch[] {
  const wanted = query.toLowerCase();
  return files
    .map((file) => ({ file, score: wanted ? score(file, wanted) : file.path.split('/').length * 1000 + file.path.length }))
    .filter((m): m is { file: FileMatch; score: number } => m.score !== undefined)
    .sort((a, b) => a.score - b.score || a.file.path.localeCompare(b.file.path))
    .slice(0, limit)
    .map((m) => m.file);
}
