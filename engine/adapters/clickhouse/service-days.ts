import type { AppId, DeliveryId } from '../../contract/ids.ts';
import { type Outcome, outcomes, settles } from '../../contract/outcome.ts';
import type { PushService } from '../../contract/push-service.ts';
import type { ClickHouse } from './clickhouse.ts';
import { inPieces } from './in-pieces.ts';

/** Messages by how they ended, from the roll-up of attempts: a reader's message ends once, however often tried. */
export interface Ended {
  readonly accepted: number;
  /** Permanently. */
  readonly failed: number;
}

export interface ServiceDay extends Ended {
  /** UTC, `YYYY-MM-DD`: of the attempt. */
  readonly day: string;
  readonly service: PushService;
  /** Attempts that left the reader for another one. */
  readonly retried: number;
  /** Of those, the ones that the push service refused because they came too fast. */
  readonly throttled: number;
}

/** What it took to send a delivery at one push service. */
export interface ServiceCost {
  readonly service: PushService;
  /** That went out: those for a reader who is tried again count each time. */
  readonly requests: number;
  /** Mean time from a request to its answer, or to the end of waiting for one. */
  readonly answerMs: number;
}

export interface ServiceDayReads {
  /**
   * One entry a day and push service that has any, ascending by day; days as `YYYY-MM-DD`, both ends included. Without
   * welcomes.
   */
  serviceDays(appId: AppId, firstDay: string, lastDay: string): Promise<ServiceDay[]>;
  /** By push service, in their order; one that was asked for nothing is missing. */
  serviceCosts(appId: AppId, deliveryId: DeliveryId): Promise<ServiceCost[]>;
  /** Of each delivery from that number on, over all its days; of more than `limit` the newest. */
  endedFrom(appId: AppId, firstDelivery: DeliveryId, limit: number): Promise<ReadonlyMap<DeliveryId, Ended>>;
}

export function createServiceDayReads({ client }: ClickHouse): ServiceDayReads {
  async function rows<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
  }

  return {
    serviceDays: async (app, first, last) => {
      const found = await rows<ServiceDayRow>(
        `SELECT day, push_service, ${sumOf('accepted')} AS accepted, ${sumOf('failed')} AS failed,
           ${sumOf('retried')} AS retried, sumIf(attempts, outcome = 'throttled') AS throttled
         FROM outcomes_by_day
         WHERE app_id = {app:UInt32} AND day BETWEEN {first:Date} AND {last:Date}
           AND delivery_id NOT IN (SELECT delivery_id FROM welcome_deliveries WHERE app_id = {app:UInt32})
         GROUP BY day, push_service ORDER BY day, push_service`,
        { app, first, last },
      );
      return found.map(({ day, push_service: service, ...row }) => ({
        day,
        service,
        accepted: Number(row.accepted),
        failed: Number(row.failed),
        retried: Number(row.retried),
        throttled: Number(row.throttled),
      }));
    },
    serviceCosts: async (app, delivery) => {
      const found = await rows<ServiceCostRow>(
        `SELECT push_service, sum(attempts) AS requests, sum(latency_ms_sum) AS latency_ms
         FROM outcomes_by_day
         WHERE app_id = {app:UInt32} AND delivery_id = {delivery:UInt64} AND outcome NOT IN ('unsent', 'expired')
         GROUP BY push_service ORDER BY push_service`,
        { app, delivery },
      );
      return found.map(({ push_service: service, requests, latency_ms: latencyMs }) => ({
        service,
        requests: Number(requests),
        answerMs: Math.round(Number(latencyMs) / Number(requests)),
      }));
    },
    endedFrom: async (app, first, limit) => {
      const query = `SELECT delivery_id AS id, ${sumOf('accepted')} AS accepted, ${sumOf('failed')} AS failed
        FROM outcomes_by_day WHERE app_id = {app:UInt32} AND delivery_id >= {first:UInt64}
        GROUP BY delivery_id ORDER BY id DESC LIMIT {limit:UInt32}`;
      const query_params = { app, first, limit };
      const answer = await client.query({ query, query_params, format: 'JSONEachRow' });
      const found = new Map<DeliveryId, Ended>();
      for await (const some of inPieces<EndedRow>(answer))
        for (const { id, accepted, failed } of some)
          found.set(Number(id) as DeliveryId, { accepted: Number(accepted), failed: Number(failed) });
      return found;
    },
  };
}

/** UInt64 comes as text in JSON; counts stay far below 2^53. */
type Counts<Names extends string> = Readonly<Record<Names, string | number>>;
type EndedRow = Counts<'id' | 'accepted' | 'failed'>;
type ServiceCostRow = Counts<'requests' | 'latency_ms'> & { readonly push_service: PushService };
type ServiceDayRow = Counts<'accepted' | 'failed' | 'retried' | 'throttled'> & {
  readonly day: string;
  readonly push_service: PushService;
};

type Ending = 'accepted' | 'failed' | 'retried';
const endingOf = (outcome: Outcome): Ending => {
  if (outcome === 'accepted') return 'accepted';
  return settles[outcome] ? 'failed' : 'retried';
};

const sumOf = (ending: Ending): string => {
  const names = outcomes.filter((outcome) => endingOf(outcome) === ending).map((outcome) => `'${outcome}'`);
  return `sumIf(attempts, outcome IN (${names.join(', ')}))`;
};
