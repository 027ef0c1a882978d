import { breakSource } from '../../test/chaos/runner/preload/break-source.ts';

/**
 * Loaded into an engine and each of its threads: messages are neither encrypted nor sent. What stands in for the push
 * services in rehearsals answers instead, and everything else is what it is for an ordinary delivery.
 */
breakSource(
  '/engine/worker/entry.ts',
  'encryptBatch: encryption.encryptBatch,',
  'encryptBatch: (_texts, keys) => keys.map(() => Buffer.alloc(0)),',
);
breakSource('/engine/worker/post.ts', 'task.rehearsal ? deps.sink : deps.client', 'deps.sink');
