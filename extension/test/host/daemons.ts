// The daemons of this extension host: its child processes.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Their process ids. */
export function daemons(): number[] {
  return readdirSync('/proc').filter((n) => /^\d+$/.test(n)).map(Number).filter((pid) => {
    try {
      const [, parent] = (/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []);
      return Number(parent) === process.pid && readlinkSync(`/proc/${pid}/exe`).endsWith('/bin/agentd');
    } catch {
      return false;
    }
  });
}
