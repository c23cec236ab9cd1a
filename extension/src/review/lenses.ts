// The lines above each place of a review: Accept | Reject, and for the whole
// file what the title bar offers, too.
import * as vscode from 'vscode';
import type { ReviewFile } from './file';
import type { Place } from './proposal';
import type { Review, Reviews } from './reviews';

/** Makes the CodeLenses of proposed texts. */
export class ReviewLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscription: vscode.Disposable;

  constructor(private readonly reviews: Reviews) {
    this.subscription = reviews.onChange(() => this.changed.fire());
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const found = this.reviews.find(document.uri);
    if (!found) {
      return [];
    }
    const { file, review } = found;
    const { places } = file;
    const single = places.length === 1 && review.files.length === 1;
    const top = document.lineAt(0).range;
    const lenses = file.drift ? [lens(top, `$(warning) ${file.drift}`, '', [])] : [];
    for (const place of places) {
      const range = anchor(document, place);
      const args = [file.right.toString(), place.key];
      lenses.push(
        place.accepted
          ? lens(range, '$(pass-filled) Accepted', 'agentd.review.acceptChange', args, 'Undo this decision')
          : lens(range, '$(check) Accept', 'agentd.review.acceptChange', args, 'Accept this change'),
        lens(range, '$(close) Reject', 'agentd.review.rejectChange', args, 'Put the old lines back here'),
      );
      if (single) {
        lenses.push(...this.others(range, file, review));
      }
    }
    if (!single) {
      lenses.push(...this.fileLenses(top, file, review, places));
    }
    return lenses;
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private fileLenses(range: vscode.Range, file: ReviewFile, review: Review, places: Place[]): vscode.CodeLens[] {
    const open = places.filter((p) => !p.accepted).length;
    const all = review.files.length > 1 || places.length === 0 ? 'this file' : open === places.length ? `all ${open}` : open === 0 ? 'all' : `the other ${open}`;
    const args = [file.right.toString()];
    return [
      lens(range, `$(check-all) Accept ${all}`, 'agentd.review.acceptAll', args, 'Write what stands here'),
      lens(range, `$(close-all) ${review.files.length > 1 ? 'Reject this file' : 'Reject all'}`, 'agentd.review.reject', args, 'Write nothing'),
      ...this.others(range, file, review),
    ];
  }

  private others(range: vscode.Range, file: ReviewFile, review: Review): vscode.CodeLens[] {
    const args = [file.right.toString()];
    const grants = review.question.request.choices.includes('allowSession') ? review.question.request.grants ?? [] : [];
    return [
      lens(range, 'Reject with feedback…', 'agentd.review.rejectWithFeedback', args, 'Write nothing, and say what to do instead'),
      ...grants.slice(0, 1).map((g) => lens(range, `Always: ${g.label}`, 'agentd.review.always', [...args, g.id], `Allow ${g.label} for the rest of this session`)),
    ];
  }
}

/** The line that carries a place's lenses; one that only deletes has none of its own and takes the line after. */
function anchor(document: vscode.TextDocument, place: Place): vscode.Range {
  return document.lineAt(Math.min(place.newLine, document.lineCount - 1)).range;
}

function lens(range: vscode.Range, title: string, command: string, args: unknown[], tooltip?: string): vscode.CodeLens {
  return new vscode.CodeLens(range, { title, command, arguments: args, tooltip });
}
