import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into each thread of an engine: while a file is there, lines of the block that is being sent throw, wherever they
 * read shared memory: before a message goes out, between two, at an answer, and with permits in their hands.
 */
const file = process.env.CHAOS_THROWS_FILE ?? '';
const READ_EVERY_MS = 50;
/** Of the lines that read it: a block of a thousand messages throws once or twice. */
const SHARE = 0.0005;

const isOfABlock = (stack = ''): boolean => /\/engine\/worker\/(send-block|post|queues)\.ts/.test(stack);

if (!isMainThread && file !== '') {
  let throwing = false;
  setInterval(() => {
    throwing = existsSync(file);
  }, READ_EVERY_MS).unref();
  const load = Atomics.load;
  Atomics.load = ((array: Int32Array, index: number) => {
    if (throwing && Math.random() < SHARE && isOfABlock(new Error('where').stack))
      throw new Error('a line throws');
    return load(array, index);
  }) as typeof Atomics.load;
}
