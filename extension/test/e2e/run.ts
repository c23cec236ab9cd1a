// One run of the tests in a real VS Code: a server, a browser, a fake model;
// each test gets a window of its own.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { openBrowser } from './browser';
import { extensionFolder, startModel, startServer, type Model, type Server } from './processes';
import { Window } from './window';

/** What a run consists of. */
export interface Run {
  model: Model;
  server: Server;
  browser: BrowserContext;
  window: (files?: Record<string, string>, size?: { width: number; height: number }) => Promise<Window>;
  stop: () => Promise<string>;
}

const quietSettings = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'git.enabled': false,
  'workbench.tips.enabled': false,
  'chat.commandCenter.enabled': false,
  'workbench.layoutControl.enabled': false,
  'window.commandCenter': false,
  'security.workspace.trust.enabled': false,
  'files.autoSave': 'off', // in the browser it is on
};

/** The files that a window has unless a test says otherwise. */
export const sampleFiles = {
  'a.txt': 'one\ntwo\nthree\n',
  'ten.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n',
};

/** How a run differs from others. */
export interface RunOptions {
  /** Folders are not trusted until the person says so. */
  trust?: boolean;
  /** What the model says, beside this file. */
  script?: string;
}

/** Starts everything. */
export async function start(settings: (model: Model) => Record<string, unknown>, { trust = false, script = 'model.script' }: RunOptions = {}): Promise<Run> {
  const vsix = process.env['VSIX'] ?? join(extensionFolder, '..', 'bin', 'agentd.vsix');
  if (!existsSync(vsix)) {
    throw new Error(`there is no package ${vsix}: run "make vsix"`);
  }
  const model = await startModel(readFileSync(join(extensionFolder, 'test', 'e2e', script), 'utf8'));
  const [server, browser] = await Promise.all([startServer({ ...quietSettings, ...settings(model) }, vsix, trust), openBrowser()]);
  return {
    model, server, browser,
    window: (files = sampleFiles, size) => Window.open(browser, server.port, files, size),
    stop: async () => {
      await browser.close();
      await server.stop();
      return model.stop();
    },
  };
}

/** Starts a run with the fake model before the tests of a file, and ends it after them. */
export function runWithModel(options: RunOptions = {}): () => Run {
  let run: Run | undefined;
  before(async () => {
    run = await start((model) => ({ 'agentd.baseUrl': model.url, 'agentd.model': 'fake', 'agentd.enableTools': ['run_command'], 'agentd.logLevel': 'info' }), options);
  });
  after(async () => {
    assert.equal(await run?.stop(), '', 'what the model was asked');
  });
  return () => {
    assert.ok(run, 'the run has begun');
    return run;
  };
}
