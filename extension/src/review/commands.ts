// The commands of a review: from the lenses, the title bar, the keyboard.
import * as vscode from 'vscode';
import { reviewScheme } from './filesystem';
import type { ReviewFile } from './file';
import type { Place } from './proposal';
import type { Review, Reviews } from './reviews';

/** Registers what can be done in a review. */
export function registerReviewCommands(reviews: Reviews): vscode.Disposable {
  const command = (name: string, run: (found: { review: Review; file: ReviewFile }, key?: string) => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(`agentd.review.${name}`, async (target?: unknown, key?: unknown) => {
      const found = findTarget(reviews, target);
      if (found) {
        await run(found, typeof key === 'string' ? key : undefined);
      } else {
        void vscode.window.showInformationMessage('No change waits for you here.');
      }
    });
  return vscode.Disposable.from(
    command('acceptChange', async ({ file }, key) => {
      const place = placeOf(file, key);
      if (place) {
        await reviews.decidePlace(file, place, true);
      }
    }),
    command('rejectChange', async ({ file }, key) => {
      const place = placeOf(file, key);
      if (place) {
        await reviews.decidePlace(file, place, false);
      }
    }),
    command('acceptAll', ({ file }) => reviews.settle(file)),
    command('reject', ({ file }) => reviews.reject(file)),
    command('rejectWithFeedback', async ({ review }) => {
      const feedback = await vscode.window.showInputBox({ title: review.question.request.title, prompt: 'What should be done instead? The agent is told.', ignoreFocusOut: true });
      if (feedback !== undefined) {
        await reviews.decide(review.question.id, { decision: 'reject', feedback: feedback || undefined });
      }
    }),
    command('always', async ({ review }, grantId) => {
      const grants = review.question.request.grants ?? [];
      const chosen = grantId ?? (await vscode.window.showQuickPick(
        grants.map((g) => ({ label: g.label, id: g.id })),
        { title: review.question.request.title, placeHolder: 'Allow this, and for the rest of this session' },
      ))?.id;
      if (chosen !== undefined) {
        await reviews.decide(review.question.id, { decision: 'allowSession', grantId: chosen });
      }
    }),
    vscode.commands.registerCommand('agentd.review.open', async () => {
      const [first] = reviews.all;
      const file = first?.files.find((f) => !f.settled);
      if (first && file) {
        await reviews.show(first.question.id, first.files.indexOf(file));
      } else {
        void vscode.window.showInformationMessage('No change waits for you.');
      }
    }),
  );
}

/** The review that a command means: by its address, or the one in the active editor. */
function findTarget(reviews: Reviews, target: unknown): { review: Review; file: ReviewFile } | undefined {
  const uri = typeof target === 'string' ? vscode.Uri.parse(target, true)
    : target instanceof vscode.Uri && target.scheme === reviewScheme ? target
    : activeReviewUri();
  return uri && reviews.find(uri);
}

function activeReviewUri(): vscode.Uri | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff && input.modified.scheme === reviewScheme) {
    return input.modified;
  }
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === reviewScheme ? uri : undefined;
}

/** The place with a key, or the one at the cursor: the nearest that is not above it. */
function placeOf(file: ReviewFile, key: string | undefined): Place | undefined {
  const { places } = file;
  if (key !== undefined) {
    return places.find((p) => p.key === key);
  }
  const line = vscode.window.activeTextEditor?.selection.active.line ?? 0;
  return places.find((p) => p.newLine + Math.max(1, p.newLines.length) > line) ?? places.at(-1);
}
