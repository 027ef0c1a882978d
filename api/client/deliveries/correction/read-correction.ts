import type { FastifyBaseLogger } from 'fastify';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { DeliveryStatus } from '../../../../engine/contract/delivery.ts';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { logFailure } from '../../../../engine/kit/roles/log-failure.ts';
import { AnalyticsAway, type AnalyticsPort } from '../../../ports/analytics.ts';
import type { StoredDelivery } from '../store.ts';
import type { Correction } from './field-schema.ts';

const DAY_MS = 86_400_000;

interface CorrectionRow {
  readonly id: number;
  readonly status: DeliveryStatus;
  readonly started_at: Date | null;
}

/** The correction that stands, and how many had seen the first text by then. */
export async function readCorrection(
  { sql, analytics, log }: { sql: Sql; analytics: AnalyticsPort; log: FastifyBaseLogger },
  appId: AppId,
  { id, started_at: startedAt }: Pick<StoredDelivery, 'id' | 'started_at'>,
): Promise<Correction | null> {
  const [row] = await sql.query<CorrectionRow>(
    `SELECT id, status, started_at FROM deliveries
     WHERE app_id = $1 AND corrects_delivery_id = $2 AND status <> 'cancelled' ORDER BY id DESC LIMIT 1`,
    [appId, id],
  );
  if (row === undefined) return null;
  const before = row.started_at ?? new Date();
  return { delivery_id: row.id, status: row.status, seen_before: await countSeen() };

  async function countSeen(): Promise<number | null> {
    try {
      const days = await analytics.attemptsKeptDays();
      // The first events of the wrong text go first.
      if (days !== null && Date.now() - (startedAt ?? before).getTime() > days * DAY_MS) return null;
      return await analytics.seenBefore(appId, id, before);
    } catch (error) {
      if (!(error instanceof AnalyticsAway)) throw error;
      logFailure(log, error, 'who saw a corrected delivery is unknown: ClickHouse is unavailable');
      return null;
    }
  }
}
