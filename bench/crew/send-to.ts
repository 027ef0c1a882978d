import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { buildDelivery } from '../../test/support/builders.ts';
import { pause } from '../stand/deliver.ts';

/** Where a delivery is. */
export interface Standing {
  readonly id: number;
  readonly ended: boolean;
  readonly accepted: number;
  readonly total: number;
}

const POLL_MS = 100;
const PATIENCE_MS = 600_000;

/** One delivery to each app, due at once. */
export async function startDeliveries(
  database: Database,
  apps: readonly { readonly id: AppId }[],
  given: { readonly lane?: 'bulk' | 'breaking' } = {},
): Promise<number[]> {
  const ids: number[] = [];
  for (const app of apps)
    ids.push(
      await buildDelivery(database, app.id, { status: 'scheduled', scheduledAt: new Date(), ...given }),
    );
  return ids;
}

/**
 * Until all of them have ended, and the outbox is empty.
 * @param onLook called at each look, with all of them. @throws Error where they take longer than ten minutes.
 */
export async function untilEnded(
  database: Database,
  ids: readonly number[],
  onLook: (standings: readonly Standing[]) => Promise<void> | void = () => {},
): Promise<Standing[]> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const standings = await readStandings(database, ids);
    await onLook(standings);
    if (standings.every(({ ended }) => ended) && (await isOutboxEmpty(database))) return standings;
    if (performance.now() > endsAt)
      throw new Error(`the deliveries did not end within ${PATIENCE_MS / 60_000} minutes`);
    await pause(POLL_MS);
  }
}

const readStandings = (database: Database, ids: readonly number[]): Promise<Standing[]> =>
  database.query<Standing>(
    `SELECT id, status IN ('success', 'partial', 'failed', 'cancelled') AS ended,
       (SELECT coalesce(sum(accepted_count), 0) FROM shards WHERE delivery_id = deliveries.id)::integer AS accepted,
       total_subscribers AS total
     FROM deliveries WHERE id = ANY ($1) ORDER BY id`,
    [ids],
  );

async function isOutboxEmpty(database: Database): Promise<boolean> {
  const [row] = await database.query<{ empty: boolean }>(`SELECT NOT EXISTS (SELECT FROM outbox) AS empty`);
  return row?.empty === true;
}
