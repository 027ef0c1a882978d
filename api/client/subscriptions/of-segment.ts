import { audiencePredicate } from '../../../engine/adapters/postgres/deliveries/audience.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import type { RunQuery } from '../../reads/reads.ts';
import type { StoredApp } from '../apps/store.ts';
import { readAudience } from '../segments/preview.ts';
import { findSegment } from '../segments/store.ts';
import { type Chosen, chosenOf, readSeqs } from './chosen.ts';

interface Readers {
  readonly query: RunQuery;
  readonly analytics: AnalyticsPort;
}

/**
 * The subscribed readers of a segment, as a delivery that starts now would find them.
 * @throws AnalyticsAway where its rules name what browsers reported, and ClickHouse does not answer.
 */
export async function readSegment(
  readers: Readers,
  app: StoredApp,
  segmentId: number,
): Promise<Chosen | 'missing'> {
  const segment = await readers.query((sql) => findSegment(sql, app.id, segmentId));
  if (segment === null) return 'missing';
  const read = await readAudience(readers, app, { rules: segment.rules });
  // What it names is gone since: it has no reader.
  if (read.kind === 'refused') return { map: new Uint8Array(), total: 0 };
  const { text, values } =
    read.audience === null ? { text: 'TRUE', values: [] } : audiencePredicate(read.audience, 1, read.reaches);
  const seqs = await readers.query((sql) =>
    readSeqs(sql, `SELECT seq FROM subscriptions WHERE app_id = $1 AND status = 'subscribed' AND ${text}`, [
      app.id,
      ...values,
    ]),
  );
  return chosenOf(seqs, null);
}
