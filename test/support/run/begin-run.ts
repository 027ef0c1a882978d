import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './memory-folder.ts';

const script = fileURLToPath(new URL('end-with-run.sh', import.meta.url));

/**
 * Gives this process, and all that it starts, a folder of its own for what is temporary. Once it is gone, by a signal
 * too, a shell that waits beside it ends what it left running and removes the folder.
 * @param place where the folder is made.
 */
export function beginRun(place = temporaryFolder()): void {
  // A short name: the path of a socket has 104 bytes on macOS.
  const folder = mkdtempSync(join(place, `${process.env.RUN_MARK ?? 'test'}-`));
  // Postgres runs as another user where root runs the tests.
  chmodSync(folder, 0o755);
  const { stdin } = startWatcher(folder);
  process.env.TMPDIR = folder;
  process.env.PATH = `${process.env.PATH}:${folder}/run`;
  // Where CI looks for what a whole run left behind, and fails for it.
  process.once('exit', (code) => {
    if (process.env.CI === 'true' && code <= 1) stdin.write('ended\n');
  });
}

/** In a session of its own, where no Ctrl-C reaches it, and without the mark of any run. */
function startWatcher(folder: string) {
  const env = { PATH: '/usr/bin:/bin' };
  const watcher = spawn('sh', [script], { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watcher.unref();
  // A socket: unlike its type, it can be left open by a process that has nothing else to do.
  (watcher.stdin as unknown as { unref(): void }).unref();
  watcher.stdin.on('error', () => {});
  watcher.stdin.write(`${folder}\n`);
  return watcher;
}
