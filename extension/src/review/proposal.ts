// A proposed change of one file as the person works on it: which places of the
// text on the right differ from the left, which of them are decided, and what
// the answer to the daemon is. No editor in here.
//
// The text on the right is the truth. Rejecting a place puts the old lines back
// into it, accepting one marks it. As long as the text is what the daemon
// proposed, less some of its hunks, the answer names hunks, which is what the
// model understands best; else it carries the text.
import { diffArrays } from 'diff';
import type { Hunk } from '../protocol';
import { plain, split } from './lines';

/** A place where the text on the right differs from the left. Lines count from 0. */
export interface Place {
  /** Names the place as long as it does not change. */
  key: string;
  oldLine: number;
  oldLines: string[];
  newLine: number;
  newLines: string[];
  /** The daemon's hunk, if it is one. */
  hunkId?: string;
  accepted: boolean;
}

/** What is to be written. */
export type Verdict =
  | { kind: 'all' }
  | { kind: 'none' }
  | { kind: 'hunks'; hunks: Record<string, boolean> }
  | { kind: 'edited' };

/** A change of lines in the text on the right. */
export interface LineEdit {
  line: number;
  count: number;
  text: string;
}

/** Diffs that take longer than this are shown as one place. */
const diffTimeMs = 200;

/** The change of one file. */
export class Proposal {
  readonly base: string;
  readonly proposed: string;
  private readonly baseLines: string[];
  private readonly accepted = new Set<string>();
  /** Texts that are the proposal less some hunks, and which those are. */
  private readonly subsets = new Map<string, ReadonlySet<string>>();

  constructor(base: string, proposed: string, private readonly hunks: Hunk[]) {
    this.base = plain(base);
    this.proposed = plain(proposed);
    this.baseLines = split(this.base);
    this.subsets.set(this.proposed, new Set());
  }

  /** The places of a text that differ from the left side. */
  places(text: string): Place[] {
    const now = plain(text);
    const rejected = this.subsets.get(now);
    const found = rejected ? this.hunkPlaces(rejected) : this.diffPlaces(split(now));
    return found.map((p) => ({ ...p, accepted: this.accepted.has(p.key) }));
  }

  /** Marks a place as accepted, or takes the mark back. */
  mark(place: Place, accepted: boolean): void {
    if (accepted) {
      this.accepted.add(place.key);
    } else {
      this.accepted.delete(place.key);
    }
  }

  /** The edit that puts the old lines back in one place. */
  revert(text: string, place: Place): LineEdit {
    const now = plain(text);
    const edit = { line: place.newLine, count: place.newLines.length, text: place.oldLines.join('') };
    const rejected = this.subsets.get(now);
    if (rejected && place.hunkId !== undefined) {
      const lines = split(now);
      lines.splice(edit.line, edit.count, edit.text);
      this.subsets.set(lines.join(''), new Set([...rejected, place.hunkId]));
    }
    return edit;
  }

  /** Whether nothing is left to decide in a text. */
  decided(text: string): boolean {
    return this.places(text).every((p) => p.accepted);
  }

  /** What an approval of the text means for the daemon. */
  verdict(text: string): Verdict {
    const now = plain(text);
    const rejected = this.subsets.get(now);
    if (now === this.base && this.base !== this.proposed) {
      return { kind: 'none' };
    }
    if (!rejected) {
      return { kind: 'edited' };
    }
    if (rejected.size === 0) {
      return { kind: 'all' };
    }
    return { kind: 'hunks', hunks: Object.fromEntries(this.hunks.map((h) => [h.id, !rejected.has(h.id)])) };
  }

  private hunkPlaces(rejected: ReadonlySet<string>): Omit<Place, 'accepted'>[] {
    const proposed = split(this.proposed);
    let back = 0; // how far rejected hunks have moved the lines below
    const places: Omit<Place, 'accepted'>[] = [];
    let grown = 0;
    for (const h of this.hunks) {
      // With no old lines a hunk inserts before its line; see protocol.md.
      const oldLine = h.oldStart - 1;
      const at = oldLine + grown;
      grown += h.newLines - h.oldLines;
      if (rejected.has(h.id)) {
        back += h.oldLines - h.newLines;
        continue;
      }
      places.push(place(oldLine, this.baseLines.slice(oldLine, oldLine + h.oldLines), at + back, proposed.slice(at, at + h.newLines), h.id));
    }
    return places;
  }

  private diffPlaces(lines: string[]): Omit<Place, 'accepted'>[] {
    const parts = diffArrays(this.baseLines, lines, { timeout: diffTimeMs });
    if (!parts) {
      return [this.span(lines)];
    }
    const places: Omit<Place, 'accepted'>[] = [];
    let oldLine = 0;
    let newLine = 0;
    for (let i = 0; i < parts.length; i += 1) {
      const part = parts[i];
      if (!part) {
        continue;
      }
      if (!part.added && !part.removed) {
        oldLine += part.value.length;
        newLine += part.value.length;
        continue;
      }
      // A replacement comes as a removal and an addition, in either order.
      const next = parts[i + 1];
      const pair = next && (next.added || next.removed) && next.added !== part.added ? next : undefined;
      const both = pair ? [part, pair] : [part];
      const removed = both.find((p) => p.removed)?.value ?? [];
      const added = both.find((p) => p.added)?.value ?? [];
      places.push(place(oldLine, removed, newLine, added));
      oldLine += removed.length;
      newLine += added.length;
      i += both.length - 1;
    }
    return places;
  }

  /** One place from the first to the last line that differs. */
  private span(lines: string[]): Omit<Place, 'accepted'> {
    const old = this.baseLines;
    let head = 0;
    while (head < old.length && head < lines.length && old[head] === lines[head]) {
      head += 1;
    }
    let tail = 0;
    while (tail < old.length - head && tail < lines.length - head && old[old.length - 1 - tail] === lines[lines.length - 1 - tail]) {
      tail += 1;
    }
    return place(head, old.slice(head, old.length - tail), head, lines.slice(head, lines.length - tail));
  }
}

function place(oldLine: number, oldLines: string[], newLine: number, newLines: string[], hunkId?: string): Omit<Place, 'accepted'> {
  return { key: `${oldLine}:${oldLines.length}:${newLines.join('')}`, oldLine, oldLines, newLine, newLines, hunkId };
}
