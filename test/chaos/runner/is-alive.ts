import { readFileSync } from 'node:fs';

/** A process that ended and was not waited for yet (a zombie) is not alive, though it has its id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // No /proc on this platform, or it went this moment.
    return process.platform !== 'linux';
  }
}
