import { setTimeout } from 'node:timers/promises';
import type { Database } from '../database.ts';

/**
 * Targets from streaming replicas: of what a delivery costs Postgres, reading targets is the largest part that any
 * copy of the data can carry.
 *
 * A replica answers for a block only where it has replayed two positions of the primary's log, both checked on the
 * connection that then reads, for behind one address there may be several servers:
 *
 * - that of the plan, so that nobody is missing whom the plan counted;
 * - that of the primary a few seconds ago, so that nobody gets a message who left before.
 *
 * Where none does, the primary is read. If this process dies, nothing is lost: it keeps no state but its connections.
 */
export interface ReplicaReads {
  /**
   * A `COPY … TO STDOUT` on the replica with the fewest reads.
   * @param planPosition of the delivery, as Postgres writes a `pg_lsn`.
   * @returns null where the primary has to be read.
   */
  copyOut(planPosition: string, statement: string, maxBytes: number): Promise<ReplicaCopy | null>;
  close(): Promise<void>;
}

export interface ReplicaCopy {
  readonly rows: Uint8Array<ArrayBuffer>;
  /** By the primary's clock: everything committed until then is in the rows, and perhaps later changes. */
  readonly asOfMs: number;
}

export interface Replica {
  /** Host and port, for people. */
  readonly name: string;
  readonly database: Database;
}

export interface ReplicaOptions {
  readonly primary: Database;
  readonly replicas: readonly Replica[];
  readonly nowMs: () => number;
  /** Once each time that a replica's state changes. */
  readonly noteState: (name: string, state: ReplicaState) => void;
  /** Once a read: whether a replica has answered, or the primary is left to. */
  readonly count: (source: TargetSource) => void;
}

export type TargetSource = 'replica' | 'primary';

export type ReplicaState =
  | { readonly kind: 'reads' }
  /** Its log is behind, or it is no standby of this primary, or not of this database. */
  | { readonly kind: 'behind' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A replica that failed is not tried again before. */
const REST_AFTER_FAILURE_MS = 5_000;
/** One that is behind: it would be asked in vain at each block. */
const REST_BEHIND_MS = 250;

export function createReplicaReads(options: ReplicaOptions): ReplicaReads {
  const floor = createFloor(options.primary, options.nowMs);
  const replicas = options.replicas.map((replica) => ({ ...replica, reads: 0, restsUntilMs: 0, state: '' }));
  type Follower = (typeof replicas)[number];

  const note = (follower: Follower, state: ReplicaState, restMs: number): void => {
    follower.restsUntilMs = options.nowMs() + restMs;
    if (follower.state === state.kind) return;
    follower.state = state.kind;
    options.noteState(follower.name, state);
  };

  const read = async (follower: Follower, wanted: Wanted): Promise<Uint8Array<ArrayBuffer> | null> => {
    follower.reads += 1;
    try {
      const rows = await follower.database.copyOutIf(mayAnswer(wanted), wanted.statement, wanted.maxBytes);
      if (rows === null) note(follower, { kind: 'behind' }, REST_BEHIND_MS);
      else note(follower, { kind: 'reads' }, 0);
      return rows;
    } catch (error) {
      note(follower, { kind: 'failed', error }, REST_AFTER_FAILURE_MS);
      return null;
    } finally {
      follower.reads -= 1;
    }
  };

  const firstThatHas = async (wanted: Wanted): Promise<Uint8Array<ArrayBuffer> | null> => {
    const awake = replicas.filter(({ restsUntilMs }) => restsUntilMs <= options.nowMs());
    for (const follower of awake.toSorted((one, other) => one.reads - other.reads)) {
      const rows = await read(follower, wanted);
      if (rows !== null) return rows;
    }
    return null;
  };

  return {
    copyOut: async (planPosition, statement, maxBytes) => {
      const point = await floor.read();
      const rows =
        point &&
        (await firstThatHas({
          ...{ identity: point.identity, positions: [planPosition, point.position] },
          ...{ statement, maxBytes },
        }));
      options.count(rows === null ? 'primary' : 'replica');
      return point === null || rows === null ? null : { rows, asOfMs: point.atMs };
    },
    close: async () => {
      await Promise.all(replicas.map(({ database }) => database.close()));
    },
  };
}

interface Wanted {
  /** Of the primary. */
  readonly identity: string;
  readonly positions: readonly string[];
  readonly statement: string;
  readonly maxBytes: number;
}

/**
 * The cluster, which a standby has from its primary, and the table: readers of another installation have the same
 * numbers, and its log may be further than ours.
 */
const IDENTITY = `concat_ws('/', (SELECT system_identifier FROM pg_control_system()), to_regclass('subscriptions')::oid)`;

/**
 * A server that was promoted, or that cannot follow the primary of now, has another history: where it was further than
 * the new primary when the old one died, its positions are higher than those of rows that it will never have.
 */
const mayAnswer = ({ identity, positions }: Wanted): string =>
  `SELECT pg_is_in_recovery() AND EXISTS (SELECT FROM pg_stat_wal_receiver)
     AND ${IDENTITY} = '${identity}'
     AND coalesce(pg_last_wal_replay_lsn() >= greatest(${positions
       .map((position) => `'${position}'::pg_lsn`)
       .join()}), false)`;

/** What an operator wants to know of one. */
export interface ReplicaExamined {
  /** False: it takes writes. */
  readonly isStandby: boolean;
  /** Whether it receives the primary's log now. */
  readonly isFollowing: boolean;
  /** Of the primary's cluster, and its database. */
  readonly isSame: boolean;
  readonly mayReadTargets: boolean;
  /** Whether it has replayed, within the age that positions have here, what the primary held when it was asked. */
  readonly isUpToDate: boolean;
}

const EXAMINED = `SELECT pg_is_in_recovery() AS "isStandby", EXISTS (SELECT FROM pg_stat_wal_receiver) AS "isFollowing",
    concat_ws('/', (SELECT system_identifier FROM pg_control_system()), current_database()) = $1 AS "isSame",
    CASE WHEN to_regclass('subscriptions') IS NULL THEN false
      ELSE has_table_privilege('subscriptions', 'SELECT') END AS "mayReadTargets",
    CASE WHEN pg_is_in_recovery() THEN coalesce(pg_last_wal_replay_lsn() >= $2::pg_lsn, false) ELSE false END AS "isUpToDate"`;
const EXAMINED_EVERY_MS = 200;

/** As reading goes by; it takes as long as the replica may be behind. */
export async function examineReplica(primary: Database, replica: Database): Promise<ReplicaExamined> {
  const [wanted] = await primary.query<{ place: string; position: string }>(
    `SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()), current_database()) AS place,
       pg_current_wal_insert_lsn()::text AS position`,
  );
  const endsAt = performance.now() + FLOOR_AGE_MS;
  for (;;) {
    const [found] = await replica.query<ReplicaExamined>(EXAMINED, [wanted?.place, wanted?.position]);
    if (found === undefined) throw new Error('Postgres gave no answer');
    if (found.isUpToDate || !found.isSame || !found.isFollowing || performance.now() > endsAt) return found;
    await setTimeout(EXAMINED_EVERY_MS);
  }
}

/** A moment of the primary. */
interface Point {
  readonly identity: string;
  readonly position: string;
  readonly atMs: number;
}

/** How old a position must be before replicas are held to it: they need a moment to replay. */
const FLOOR_AGE_MS = 2_000;
const POINT_EVERY_MS = 500;
/** A floor that nobody could renew since then says little about what has changed. */
const FLOOR_MAX_AGE_MS = 10_000;

/** What replicas must have replayed: where the primary was some seconds ago. */
function createFloor(primary: Database, nowMs: () => number): { read: () => Promise<Point | null> } {
  let points: { readonly point: Point; readonly takenMs: number }[] = [];
  let taking: Promise<void> | null = null;

  const take = async (): Promise<void> => {
    const takenMs = nowMs();
    const [point] = await primary.query<Point>(
      `SELECT ${IDENTITY} AS identity, pg_current_wal_insert_lsn()::text AS position,
         (extract(epoch FROM now()) * 1000)::float8 AS "atMs"`,
    );
    if (point === undefined) return;
    points = [...points.filter((each) => takenMs - each.takenMs <= FLOOR_MAX_AGE_MS), { point, takenMs }];
  };
  /** One statement at a time, whoever waits for it. */
  const renew = (): Promise<void> => {
    taking ??= take().finally(() => {
      taking = null;
    });
    return taking;
  };
  /** The newest one of enough age; at the start the oldest there is. */
  const best = (): Point | null => {
    const now = nowMs();
    const usable = points.filter(({ takenMs }) => now - takenMs <= FLOOR_MAX_AGE_MS);
    const aged = usable.findLast(({ takenMs }) => now - takenMs >= FLOOR_AGE_MS);
    return (aged ?? usable[0])?.point ?? null;
  };

  return {
    read: async () => {
      const newest = points.at(-1)?.takenMs ?? Number.NEGATIVE_INFINITY;
      const renewing = nowMs() - newest >= POINT_EVERY_MS ? renew().catch(() => {}) : null;
      const known = best();
      if (known !== null) return known;
      await renewing;
      return best();
    },
  };
}
