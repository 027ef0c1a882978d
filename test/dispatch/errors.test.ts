// tier: unit
import { describe, expect, it } from 'vitest';
import { mayRepeat, WorkerFailure } from '../../engine/dispatch/errors.ts';

describe('a failure of a worker', () => {
  it('lets a block be run again where its thread died, and in no other case', () => {
    expect(mayRepeat(new WorkerFailure('worker-lost', 'the thread died'))).toBe(true);
    for (const kind of ['pool-full', 'pool-closed', 'block-failed'] as const)
      expect(mayRepeat(new WorkerFailure(kind, kind))).toBe(false);
  });

  it('is known by its class, not by a name that any error may have', () => {
    expect(mayRepeat(Object.assign(new Error('out of memory'), { name: 'WorkerLost' }))).toBe(false);
    expect(mayRepeat(Object.assign(new Error('no class'), { kind: 'worker-lost' }))).toBe(false);
    expect(mayRepeat(null)).toBe(false);
  });
});
