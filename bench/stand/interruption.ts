import { tmpdir } from 'node:os';
import { beginRun } from '../../test/support/run/begin-run.ts';

/** As shells have it of Ctrl-C. */
const INTERRUPTED = 130;

/**
 * For a program that starts servers and makes folders for the time of its run: whatever ends it, what it leaves is ended
 * and removed, Broadside, Postgres, Kafka, the push service double, browsers and folders alike. So nothing in it has to
 * wait for a signal. Not in memory: what it measures is on the disk.
 */
export function beginBench(): void {
  beginRun(tmpdir());
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      process.stderr.write('\nInterrupted: what was started ends, and its files go.\n');
      process.exit(INTERRUPTED);
    });
  }
}
