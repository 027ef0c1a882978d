import type { Ended, ServiceDay } from '../../../engine/adapters/clickhouse/service-days.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import { type PushService, pushServices } from '../../../engine/contract/push-service.ts';
import { percent } from '../../http/fields.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import { type EndedDelivery, listEnded } from './delivery-figures.ts';
import type { Period } from './period.ts';
import type { ServiceStats } from './services-schema.ts';

/**
 * The contents of the roll-up of attempts. Postgres, whose counts are the truth for a delivery, shows what it
 * lacks.
 * @throws AnalyticsAway where ClickHouse is unavailable.
 */
export function createReadServices(sql: Sql, analytics: AnalyticsPort) {
  return async function readServices(appId: AppId, period: Period): Promise<ServiceStats> {
    const { firstDay, days } = period;
    // Before ClickHouse is queried: figures missing then are still missing now.
    const ended = await listEnded(sql, appId, period);
    const [found, recorded] = await Promise.all([
      analytics.serviceDays(appId, firstDay, days.at(-1) ?? firstDay),
      analytics.endedFrom(appId, ended.at(-1)?.id ?? null),
    ]);
    return {
      period_days: days.length,
      daily_stats: found.map(({ day: date, service, ...counts }) => ({
        date,
        push_service: service,
        ...withSent(counts),
      })),
      push_services: pushServices
        .map((service) => sumOf(service, found))
        .filter(({ sent, retried }) => sent + retried > 0)
        .toSorted((a, b) => b.sent - a.sent),
      unrecorded: unrecordedOf(ended, recorded),
    };
  };
}

const unrecordedOf = (
  deliveries: readonly EndedDelivery[],
  recorded: ReadonlyMap<DeliveryId, Ended>,
): number =>
  deliveries.reduce((sum, { id, ended }) => {
    const { accepted, failed } = recorded.get(id) ?? { accepted: 0, failed: 0 };
    return sum + Math.max(0, ended - accepted - failed);
  }, 0);

type Counts = Pick<ServiceDay, 'accepted' | 'failed' | 'retried' | 'throttled'>;

const withSent = ({ accepted, failed, retried, throttled }: Counts) => ({
  sent: accepted + failed,
  accepted,
  failed,
  retried,
  throttled,
});

function sumOf(service: PushService, found: readonly ServiceDay[]) {
  const sums = found
    .filter((day) => day.service === service)
    .reduce<Counts>(
      (sum, day) => ({
        accepted: sum.accepted + day.accepted,
        failed: sum.failed + day.failed,
        retried: sum.retried + day.retried,
        throttled: sum.throttled + day.throttled,
      }),
      { accepted: 0, failed: 0, retried: 0, throttled: 0 },
    );
  const counts = withSent(sums);
  return { push_service: service, ...counts, accepted_rate: percent(counts.accepted, counts.sent) };
}
