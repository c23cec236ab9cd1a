// What package.json promises is there.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Manifest {
  enabledApiProposals?: string[];
  contributes: {
    commands: { command: string }[];
    menus: Record<string, { command?: string; submenu?: string }[]>;
    keybindings: { command: string }[];
    configuration: { properties: Record<string, { scope?: string; description?: string; markdownDescription?: string }> };
  };
}

const extension = vscode.extensions.getExtension('agentd-dev.agentd');
const manifest = extension?.packageJSON as Manifest;

describe('the contributions', () => {
  before(async () => {
    await extension?.activate();
  });

  it('every command is registered, and no menu or key names another', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const { commands, menus, keybindings } = manifest.contributes;
    const ours = commands.map((c) => c.command);
    assert.deepEqual(ours.filter((c) => !registered.has(c)), []);
    const used = [...Object.values(menus).flat(), ...keybindings].map((m) => m.command).filter((c) => c !== undefined);
    assert.deepEqual(used.filter((c) => !registered.has(c)), []);
    assert.deepEqual(manifest.enabledApiProposals ?? [], []);
  });

  it('every setting is described, and what starts a process or names a server belongs to the machine', () => {
    const { properties } = manifest.contributes.configuration;
    assert.deepEqual(Object.entries(properties).filter(([, p]) => !(p.description ?? p.markdownDescription)).map(([name]) => name), []);
    for (const name of ['path', 'baseUrl', 'model', 'mode', 'enableTools']) {
      assert.equal(properties[`agentd.${name}`]?.scope, 'machine', name);
      const here = vscode.workspace.getConfiguration('agentd').inspect(name);
      assert.equal(here?.workspaceValue, undefined, `${name} of the workspace does not count`);
    }
  });

  it('a command that has nothing to act on says so and does not fail', async () => {
    for (const name of ['acceptAll', 'reject', 'acceptChange', 'rejectChange', 'always', 'open']) {
      await vscode.commands.executeCommand(`agentd.review.${name}`);
    }
    await vscode.commands.executeCommand('agentd.renameChat');
    await vscode.commands.executeCommand('agentd.stop');
  });
});
