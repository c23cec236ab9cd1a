// Runs mocha inside the extension host: the editor calls run() in place of
// leaving its tests to a person (extensionTestsPath).
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';

/** Called by the editor; a failed test fails the run. */
export function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', color: false, timeout: 90_000 });
  for (const name of readdirSync(__dirname).filter((f) => f.endsWith('.test.js'))) {
    mocha.addFile(join(__dirname, name));
  }
  return new Promise((done, fail) => {
    mocha.run((failures) => (failures === 0 ? done() : fail(new Error(`${failures} tests in the extension host failed`))));
  });
}
