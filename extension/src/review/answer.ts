// What an approval says of the files that were reviewed.
import type { Answer, Change, EditedText } from '../protocol';
import type { Verdict } from './proposal';

/** A file of a review with what was decided about it. */
export interface ReviewedText {
  change: Change;
  verdict: Verdict;
  /** What stands on the right. */
  text: string;
}

/** Adds to an approval what stands on the right: by place where that is enough, else the text of the file. */
export function withTexts(answer: Answer, files: ReviewedText[]): Answer {
  const verdicts = files.map((f) => f.verdict.kind);
  if (verdicts.every((kind) => kind === 'none')) {
    return { ...answer, decision: 'reject', grantId: undefined };
  }
  if (verdicts.every((kind) => kind === 'all')) {
    return answer;
  }
  const hunks: Record<string, boolean> = {};
  const edits: EditedText[] = [];
  for (const { change, verdict, text } of files) {
    if (verdict.kind === 'edited' || (verdict.kind === 'all' && change.hunks.length === 0)) {
      edits.push({ uri: change.uri, text });
    } else {
      Object.assign(hunks, verdict.kind === 'hunks' ? verdict.hunks : Object.fromEntries(change.hunks.map((h) => [h.id, verdict.kind === 'all'])));
    }
  }
  return { ...answer, ...(Object.keys(hunks).length > 0 ? { hunks } : {}), ...(edits.length > 0 ? { edits } : {}) };
}
