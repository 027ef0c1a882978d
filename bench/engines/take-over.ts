import { checkBooks } from '../crew/books.ts';
import type { EngineProcess, Servers } from '../crew/crew.ts';
import { type Standing, startDeliveries, untilEnded } from '../crew/send-to.ts';
import type { MeasureDeps } from './deps.ts';

/** What became of the work of an engine that was killed. */
export interface TakeOver {
  /** That it was working on. */
  readonly shards: number;
  /** From the kill until another engine had each of them, or had ended it. */
  readonly seconds: number;
}

/** Of the delivery, when the engine is killed. */
const AFTER_SHARE = 0.25;

/** Kills the engine that works on most shards, by its process id, in the middle of a delivery. */
export async function takeOver(crew: readonly EngineProcess[], deps: MeasureDeps): Promise<TakeOver | null> {
  const { servers, apps, readers, say } = deps;
  say('killing one of them');
  let killed: Killed | null = null;
  let seconds = Number.NaN;
  const ids = await startDeliveries(servers.database, apps);
  const ended = await untilEnded(servers.database, ids, async (standings) => {
    if (killed === null && shareOf(standings) >= AFTER_SHARE) killed = await killBusiest(servers, crew);
    if (killed !== null && Number.isNaN(seconds) && (await areTaken(servers, killed)))
      seconds = (performance.now() - killed.atMs) / 1_000;
  });
  checkBooks(ended, readers);
  return killed === null ? null : { shards: (killed as Killed).shards.length, seconds };
}

interface Killed {
  readonly pid: number;
  readonly atMs: number;
  readonly shards: readonly number[];
}

const shareOf = (standings: readonly Standing[]): number =>
  standings.reduce((all, { accepted, total }) => all + accepted / Math.max(1, total), 0) / standings.length;

/** Null: none works on anything at this moment. */
async function killBusiest({ database }: Servers, crew: readonly EngineProcess[]): Promise<Killed | null> {
  const [busiest] = await database.query<{ pid: number }>(
    `SELECT split_part(lease_owner, '-', 1)::integer AS pid FROM shards WHERE state = 'running'
     GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
  );
  const victim = crew.find(({ pid }) => pid === busiest?.pid);
  if (victim === undefined) return null;
  const atMs = performance.now();
  await victim.kill();
  const rows = await database.query<{ id: number }>(
    `SELECT id FROM shards WHERE state = 'running' AND lease_owner LIKE $1`,
    [`${victim.pid}-%`],
  );
  return { pid: victim.pid, atMs, shards: rows.map(({ id }) => id) };
}

async function areTaken({ database }: Servers, { shards, pid }: Killed): Promise<boolean> {
  const [row] = await database.query<{ left: number }>(
    `SELECT count(*)::integer AS left FROM shards
     WHERE id = ANY ($1) AND (state IN ('planned', 'released') OR state = 'running' AND lease_owner LIKE $2)`,
    [shards, `${pid}-%`],
  );
  return row?.left === 0;
}
