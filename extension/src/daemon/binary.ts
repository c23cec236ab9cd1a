// Where the agentd binary is.
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** What the search for the binary looks at. */
export interface BinarySearch {
  /** The user's setting `agentd.path`; empty means none. */
  setting: string;
  /** The folder of the extension, which carries a binary in `bin`. */
  extensionFolder: string;
  /** The environment's PATH, the last resort. */
  path: string;
  platform: NodeJS.Platform;
  exists?: (file: string) => boolean;
}

/**
 * Finds the binary: the setting, then the one that came with the extension,
 * then PATH. A setting that names nothing is an error and not passed over: the
 * user would never learn that another binary runs.
 */
export function findBinary(s: BinarySearch): string {
  const exists = s.exists ?? existsSync;
  const name = s.platform === 'win32' ? 'agentd.exe' : 'agentd';
  if (s.setting) {
    if (!isAbsolute(s.setting)) {
      throw new Error(`The setting agentd.path must be an absolute path, and "${s.setting}" is none.`);
    }
    if (!exists(s.setting)) {
      throw new Error(`The setting agentd.path names ${s.setting}, and there is no such file.`);
    }
    return s.setting;
  }
  const candidates = [join(s.extensionFolder, 'bin', name), ...s.path.split(delimiter).filter(isAbsolute).map((dir) => join(dir, name))];
  const found = candidates.find((file) => exists(file));
  if (!found) {
    throw new Error('agentd was not found: this package of the extension carries no binary for this machine. Install agentd, or set agentd.path.');
  }
  return found;
}
