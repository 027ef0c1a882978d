// tier: unit
import { expect, it } from 'vitest';
import { holdBlockEnds } from '../../engine/adapters/postgres/dispatch/hold-block-ends.ts';
import { emptyBitmap } from '../../engine/contract/bitmap.ts';
import { systemClock } from '../../engine/contract/concurrency/clock.ts';
import { toId } from '../../engine/contract/ids.ts';
import type { BlockEnd, BlockMaps, Lease } from '../../engine/contract/shard.ts';

const lease: Lease = {
  ...{ shardId: toId(1), deliveryId: toId(1), appId: toId(1) },
  ...{ owner: 'engine-1', epoch: 1 },
};
const accepted = Uint8Array.from(emptyBitmap(), () => 255);
const end = {
  maps: { block: 3, audience: accepted, accepted, settled: accepted },
  ...{ newlyAccepted: 1_024, newlyFailed: 0 },
} as unknown as BlockEnd;
const away = new Error('read ECONNRESET');
const LEASE_MS = 60_000;
const PAUSE_MS = 1;

/** A store in memory; each call fails as `failures` says, in turn. */
function createStore(failures: (Error | 'answer lost')[]) {
  const written: BlockMaps[] = [];
  const store = {
    readMaps: async (): Promise<BlockMaps[]> => written.slice(-1),
    endBlock: async (_: Lease, { maps }: BlockEnd, _leaseMs: number) => {
      const failure = failures.shift();
      if (failure instanceof Error) throw failure;
      written.push(maps);
      if (failure === 'answer lost') throw away;
      return 'held' as const;
    },
  };
  return { written, store };
}

it('ends a block once Postgres is back', async () => {
  const { store, written } = createStore([away, away]);
  expect(await holdBlockEnds(store, systemClock, PAUSE_MS).endBlock(lease, end, LEASE_MS)).toBe('held');
  expect(written).toHaveLength(1);
});

it('does not end a block twice whose answer was lost after the commit', async () => {
  const { store, written } = createStore(['answer lost']);
  expect(await holdBlockEnds(store, systemClock, PAUSE_MS).endBlock(lease, end, LEASE_MS)).toBe('held');
  expect(written).toHaveLength(1);
});

it('does not repeat an end that settles no target: it cannot know whether it was written', async () => {
  const { store, written } = createStore(['answer lost']);
  const empty: BlockEnd = { ...end, newlyAccepted: 0 };
  expect(await holdBlockEnds(store, systemClock, PAUSE_MS).endBlock(lease, empty, LEASE_MS)).toBe('held');
  expect(written).toHaveLength(1);
});

it('gives up when Postgres is away for longer than the lease', async () => {
  const { store } = createStore(Array.from({ length: 100 }, () => away));
  await expect(holdBlockEnds(store, systemClock, PAUSE_MS).endBlock(lease, end, 20)).rejects.toThrow(
    away.message,
  );
});

it('does not repeat what Postgres refuses', async () => {
  const refusal = Object.assign(new Error('no such column'), { severity: 'ERROR' });
  const { store } = createStore([refusal]);
  await expect(holdBlockEnds(store, systemClock, PAUSE_MS).endBlock(lease, end, LEASE_MS)).rejects.toThrow(
    refusal,
  );
});
