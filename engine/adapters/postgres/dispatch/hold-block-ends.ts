import { type Clock, pause, systemClock } from '../../../contract/concurrency/clock.ts';
import type { BlockEnd, BlockMaps, Lease, LeaseState } from '../../../contract/shard.ts';

interface EndsBlocks {
  readMaps(lease: Lease): Promise<BlockMaps[]>;
  endBlock(lease: Lease, end: BlockEnd, leaseMs: number): Promise<LeaseState>;
}

const PAUSE_MS = 250;

/**
 * A block store whose `endBlock` outlasts an outage of Postgres shorter than a lease: abandoned at once, the
 * whole block would be sent again. The lease's epoch keeps it harmless however late it comes.
 *
 * Where the answer was lost, the statement may have been committed: the block's maps show it, as no one else
 * writes them under the same lease. An end that settles no target leaves no trace in them and is not repeated:
 * the attempts that it would have recorded are missing in ClickHouse, which is better than twice there.
 * @throws Error the error of the statement itself, or an outage longer than the lease.
 */
export function holdBlockEnds<Store extends EndsBlocks>(
  store: Store,
  clock: Clock = systemClock,
  pauseMs = PAUSE_MS,
): Store {
  const isWritten = async (
    lease: Lease,
    { maps, newlyAccepted, newlyFailed }: BlockEnd,
  ): Promise<boolean> => {
    if (newlyAccepted + newlyFailed === 0) return true;
    const now = (await store.readMaps(lease)).find(({ block }) => block === maps.block);
    return now !== undefined && isSame(now.accepted, maps.accepted) && isSame(now.settled, maps.settled);
  };

  async function endBlock(lease: Lease, end: BlockEnd, leaseMs: number): Promise<LeaseState> {
    const endsAtMs = clock.now() + leaseMs;
    let mayBeWritten = false;
    for (;;) {
      try {
        if (mayBeWritten && (await isWritten(lease, end))) return 'held';
        return await store.endBlock(lease, end, leaseMs);
      } catch (error) {
        if (isRefusal(error) || clock.now() >= endsAtMs) throw error;
        mayBeWritten ||= mayHaveArrived(error);
        await pause(clock, pauseMs);
      }
    }
  }
  return { ...store, endBlock };
}

/** A connection that was never made carried no statement. */
const mayHaveArrived = (error: unknown): boolean => (error as { code?: string }).code !== 'ECONNREFUSED';

/**
 * Postgres answered, and would answer the same again; FATAL and an error without a severity are a lost
 * connection.
 */
const isRefusal = (error: unknown): boolean => (error as { severity?: string }).severity === 'ERROR';

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
