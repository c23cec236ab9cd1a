// Shows the questions as cards of the conversation, and how they were answered.
import * as vscode from 'vscode';
import type { Conversation } from '../session/conversation';
import { askCard, closedCard, confirmCard } from './cards';
import type { Questions } from './questions';

/** Keeps the cards like the questions. */
export function showQuestionsInChat(questions: Questions, conversation: Conversation): vscode.Disposable {
  return vscode.Disposable.from(
    questions.onOpen((q) => conversation.emit(conversation.transcript.put(q.kind === 'confirm' ? confirmCard(q) : askCard(q)))),
    questions.onClose((closing) => {
      // The question of a chat that was left is of no interest in the one that is shown now.
      if (conversation.transcript.get(closing.question.id)) {
        conversation.emit(conversation.transcript.put(closedCard(closing)));
      }
    }),
  );
}
