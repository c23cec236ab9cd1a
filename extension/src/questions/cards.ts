// Questions as items of the chat.
import type { Answer, AskAnswer, ConfirmRequest } from '../protocol';
import type { AskItem, ConfirmItem, ReviewedFile } from '../shared/items';
import type { Closing, OpenAsk, OpenConfirm } from './questions';

/** A diff in a card is cut here: the editor shows it whole. */
const maxDiff = 8000;

/** The card of a confirmation. */
export function confirmCard({ id, request }: OpenConfirm): ConfirmItem {
  return {
    kind: 'confirm',
    id,
    toolCallId: request.toolCallId,
    title: request.title,
    reason: request.reason,
    agent: request.agent,
    level: request.level,
    command: request.command,
    input: request.input === undefined ? undefined : JSON.stringify(request.input, null, 2),
    files: files(request),
    grants: request.choices.includes('allowSession') ? request.grants ?? [] : [],
    canAbort: request.choices.includes('abort'),
  };
}

function files(request: ConfirmRequest): ReviewedFile[] {
  return (request.changes ?? []).map((change) => {
    const diff = change.hunks.map((h) => `@@ -${h.oldStart},${h.oldLines} +${h.newStart},${h.newLines} @@\n${h.text}`).join('');
    return {
      path: change.path,
      op: change.op,
      added: change.hunks.reduce((sum, h) => sum + h.newLines, 0),
      removed: change.hunks.reduce((sum, h) => sum + h.oldLines, 0),
      diff: diff.length > maxDiff ? `${diff.slice(0, maxDiff)}\n… the diff editor shows the rest` : diff,
    };
  });
}

/** The card of the model's questions. */
export function askCard({ id, request }: OpenAsk): AskItem {
  return { kind: 'ask', id, questions: request.questions };
}

/** What a closed confirmation says: who decided what. */
export function confirmOutcome(request: ConfirmRequest, answer: Answer | undefined): string {
  if (!answer) {
    return 'Closed: the turn has ended';
  }
  const told = answer.feedback ? ` and said: ${answer.feedback}` : '';
  switch (answer.decision) {
    case 'allow': {
      const taken = Object.values(answer.hunks ?? {});
      const part = taken.length > 0 ? ` ${taken.filter(Boolean).length} of ${taken.length} changes` : '';
      const edited = answer.edits && answer.edits.length > 0 ? ', with your edits' : '';
      return `Allowed${part}${edited}${told}`;
    }
    case 'allowSession': {
      const grant = request.grants?.find((g) => g.id === answer.grantId) ?? request.grants?.[0];
      return `Allowed for this session: ${grant?.label ?? request.title}${told}`;
    }
    case 'reject':
      return `Rejected${told}`;
    case 'abort':
      return `Rejected, turn ended${told}`;
  }
}

/** The card after its question was closed. */
export function closedCard(closing: Closing): ConfirmItem | AskItem {
  const { question, answer } = closing;
  if (question.kind === 'confirm') {
    const outcome = confirmOutcome(question.request, answer as Answer | undefined);
    // Without a call beside it the outcome has to say of what.
    return { ...confirmCard(question), outcome: question.request.toolCallId === '' ? `${outcome}: ${question.request.title}` : outcome };
  }
  const reply = answer as AskAnswer | undefined;
  return { ...askCard(question), outcome: reply?.outcome ?? 'dismissed', answers: reply?.answers };
}
