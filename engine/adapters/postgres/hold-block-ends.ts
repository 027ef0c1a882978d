import type { BlockEnd, BlockMaps, Lease, LeaseState } from '../../contract/shard.ts';

interface EndsBlocks {
  readMaps(lease: Lease): Promise<BlockMaps[]>;
  endBlock(lease: Lease, end: BlockEnd, leaseMs: number): Promise<LeaseState>;
}

const PAUSE_MS = 250;

/**
 * A block store whose `endBlock` outlasts a Postgres that is away for less than a lease: given up at once,
 * all that was sent of the block would be sent again. The lease's epoch keeps it harmless however late it
 * comes.
 *
 * Where the answer was lost, the statement may have been committed: the block's maps tell, as nobody else
 * writes them under the same lease. An end that settles nobody leaves no trace in them and is not repeated:
 * the attempts that it would have noted are missing in ClickHouse, which is better than twice there.
 * @throws Error what Postgres said of the statement itself, or of being away for longer than the lease.
 */
export function holdBlockEnds<Store extends EndsBlocks>(store: Store, pauseMs = PAUSE_MS): Store {
  const isWritten = async (
    lease: Lease,
    { maps, newlyAccepted, newlyFailed }: BlockEnd,
  ): Promise<boolean> => {
    if (newlyAccepted + newlyFailed === 0) return true;
    const now = (await store.readMaps(lease)).find(({ block }) => block === maps.block);
    return now !== undefined && isSame(now.accepted, maps.accepted) && isSame(now.settled, maps.settled);
  };

  async function endBlock(lease: Lease, end: BlockEnd, leaseMs: number): Promise<LeaseState> {
    const endsAtMs = performance.now() + leaseMs;
    let mayBeWritten = false;
    for (;;) {
      try {
        if (mayBeWritten && (await isWritten(lease, end))) return 'held';
        return await store.endBlock(lease, end, leaseMs);
      } catch (error) {
        if (isRefusal(error) || performance.now() >= endsAtMs) throw error;
        mayBeWritten ||= mayHaveArrived(error);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }
  return { ...store, endBlock };
}

/** A connection that was never made carried no statement. */
const mayHaveArrived = (error: unknown): boolean => (error as { code?: string }).code !== 'ECONNREFUSED';

/** Postgres answered, and will answer the same again; FATAL and what has no severity is a lost connection. */
const isRefusal = (error: unknown): boolean => (error as { severity?: string }).severity === 'ERROR';

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
