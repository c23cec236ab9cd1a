// One file of a review: its diff editor, its document on the right, and what
// the person has decided about it.
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { Change } from '../protocol';
import { openReview, reviewScheme, type ReviewFileSystem } from './filesystem';
import { globOf } from './glob';
import { Proposal, type Place, type Verdict } from './proposal';

/** A file that is being reviewed. */
export class ReviewFile {
  readonly left: vscode.Uri;
  readonly right: vscode.Uri;
  readonly target: vscode.Uri;
  /** Set when nothing is left to decide in this file. */
  settled = false;
  /** Why an approval would be refused: the real file is not what it was. */
  drift: string | undefined;
  /** Hears when the real file changes on disk; it need not be in the workspace. */
  readonly watcher: vscode.FileSystemWatcher;

  constructor(
    readonly change: Change,
    readonly proposal: Proposal,
    number: number,
    private readonly fs: ReviewFileSystem,
    among = false,
  ) {
    this.target = vscode.Uri.parse(change.uri, true);
    // The path is what the editor shows above the text: short, and with the name at its
    // end. Where several files are shown in one view a path that is not the real one
    // would look like a file that is given another name.
    const path = change.path.replace(/^([/\\]|[A-Za-z]:)+/, '').replace(/\\/g, '/');
    const address = (what: string): vscode.Uri => vscode.Uri.from(among
      ? { scheme: reviewScheme, path: this.target.path, query: `${what} ${number}` }
      : { scheme: reviewScheme, path: `/${what} ${number}/${path}` });
    this.right = address('proposed');
    fs.add(this.right, proposal.proposed, false);
    this.watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.joinPath(this.target, '..'), globOf(this.target.path.split('/').pop() ?? '')));
    if (change.op === 'create') {
      this.left = address('nothing');
      fs.add(this.left, '', true);
    } else {
      this.left = this.target;
    }
  }

  /** The text on the right as it is now, saved or not. */
  get text(): string {
    return this.document?.getText() ?? this.fs.text(this.right) ?? this.proposal.proposed;
  }

  get document(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((d) => d.uri.toString() === this.right.toString());
  }

  get places(): Place[] {
    return this.proposal.places(this.text);
  }

  get verdict(): Verdict {
    return this.proposal.verdict(this.text);
  }

  get title(): string {
    const name = this.change.path.split('/').pop() ?? this.change.path;
    return `${name} (${this.change.op === 'create' ? 'new file' : 'proposed change'})`;
  }

  /** The tabs that show this file's diff. */
  get tabs(): vscode.Tab[] {
    const mine = this.right.toString();
    return vscode.window.tabGroups.all.flatMap((g) => g.tabs).filter((t) => {
      const input: unknown = t.input;
      return (input instanceof vscode.TabInputTextDiff && input.modified.toString() === mine)
        || (input instanceof vscode.TabInputText && input.uri.toString() === mine);
    });
  }

  /** Makes the texts ready to be shown. */
  async open(): Promise<void> {
    await openReview(this.right);
    if (this.change.op === 'create') {
      await openReview(this.left);
    }
  }

  /** Opens the diff. */
  async show(preserveFocus: boolean): Promise<void> {
    await this.open();
    const first = this.places.find((p) => !p.accepted);
    const line = first?.newLine ?? 0;
    await vscode.commands.executeCommand('vscode.diff', this.left, this.right, this.title, {
      preview: false,
      preserveFocus,
      selection: new vscode.Range(line, 0, line, 0),
    });
  }

  /** Puts the old lines back in one place. */
  async revert(place: Place): Promise<void> {
    const document = this.document ?? (await openReview(this.right));
    const { line, count, text } = this.proposal.revert(document.getText(), place);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(this.right, lineRange(document, line, count), text);
    await vscode.workspace.applyEdit(edit);
  }

  /** Looks whether the real file is still what the change was made from. */
  async checkDrift(): Promise<boolean> {
    const before = this.drift;
    this.drift = (await this.changedMeanwhile()) ? `${this.change.path} has changed since this was proposed: it cannot be written any more. Reject it, and the agent reads the file again.` : undefined;
    return this.drift !== before;
  }

  /** Closes the diff without a question about saving. */
  async close(): Promise<void> {
    this.watcher.dispose();
    await this.document?.save(); // also if it seems saved: what was typed last may not have been told yet
    const { tabs } = this;
    if (tabs.length > 0) {
      await vscode.window.tabGroups.close(tabs, true);
    }
    this.fs.remove(this.right);
    if (this.change.op === 'create') {
      this.fs.remove(this.left);
    }
  }

  private async changedMeanwhile(): Promise<boolean> {
    const { base, op } = this.change;
    const open = vscode.workspace.textDocuments.find((d) => d.uri.toString() === this.target.toString());
    if (base.source === 'buffer') {
      return open?.version !== base.version;
    }
    if (open?.isDirty) {
      return true;
    }
    try {
      const bytes = await vscode.workspace.fs.readFile(this.target);
      return op === 'create' || (base.sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== base.sha256);
    } catch {
      return op !== 'create';
    }
  }
}

/** The range of whole lines; at the end of the text the last line may have no ending. */
function lineRange(document: vscode.TextDocument, line: number, count: number): vscode.Range {
  return document.validateRange(new vscode.Range(line, 0, line + count, 0));
}
