// Code actions: the light bulb on a problem offers to have it fixed, one on a
// selection to have it explained.
import * as vscode from 'vscode';

/** Offers what agentd can do at a place in a file. */
export class CodeActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.Empty.append('agentd')];

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range, context: vscode.CodeActionContext): vscode.CodeAction[] {
    const actions: vscode.CodeAction[] = [];
    if (context.diagnostics.length > 0) {
      const action = new vscode.CodeAction('Fix with agentd', vscode.CodeActionKind.QuickFix);
      action.diagnostics = [...context.diagnostics];
      action.command = { title: action.title, command: 'agentd.fix', arguments: [document.uri, context.diagnostics] };
      actions.push(action);
    }
    if (!range.isEmpty && context.triggerKind === vscode.CodeActionTriggerKind.Invoke) {
      const action = new vscode.CodeAction('Explain with agentd', CodeActions.kinds[1]);
      action.command = { title: action.title, command: 'agentd.explain', arguments: [document.uri, range] };
      actions.push(action);
    }
    return actions;
  }
}
