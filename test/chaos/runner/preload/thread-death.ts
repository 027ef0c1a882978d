import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Loaded into each thread of an engine: when what a file says changes, the thread ends, as a crash would end it. */
const file = process.env.CHAOS_DEATH_FILE ?? '';
const READ_EVERY_MS = 100;

const read = (): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The run is over and its folder gone.
    return '';
  }
};

if (!isMainThread) {
  const before = read();
  setInterval(() => {
    const now = read();
    // Empty for the moment in which it is written.
    if (now !== '' && now !== before) process.exit(1);
  }, READ_EVERY_MS).unref();
}
