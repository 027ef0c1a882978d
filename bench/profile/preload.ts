import { existsSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';

/**
 * Loaded into Broadside and each of its threads before anything else: while a file exists, all of them are
 * profiled, and then each writes its profile. `--cpu-prof` would profile the start and the imports too. Not by
 * a signal: the embedded ClickHouse takes the free ones for its own profiler.
 */
const folder = process.env.BENCH_PROFILE_FOLDER ?? '';
const LOOK_EVERY_MS = 50;
const SAMPLE_EVERY_US = 1_000;
const file = join(folder, `${isMainThread ? 'main' : 'worker'}-${threadId}.cpuprofile`);
let session: Session | null = null;

function start(): void {
  // Empty until it is done: the reader knows which files to wait for.
  writeFileSync(file, '');
  session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
  session.post('Profiler.start');
}

function stop(running: Session): void {
  session = null;
  running.post('Profiler.stop', (error, result) => {
    running.disconnect();
    writeFileSync(file, JSON.stringify(error === null ? result.profile : { error: error.message }));
  });
}

if (folder !== '') {
  setInterval(() => {
    const wanted = existsSync(join(folder, 'on'));
    if (wanted && session === null) start();
    if (!wanted && session !== null) stop(session);
  }, LOOK_EVERY_MS).unref();
}
