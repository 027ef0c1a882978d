import type { Static } from 'typebox';
import { withLiveCounts } from '../../../../engine/adapters/postgres/deliveries/shard-sums.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { DeliveryStatus } from '../../../../engine/contract/delivery.ts';
import type { AppId, DeliveryId } from '../../../../engine/contract/ids.ts';
import type { PushService } from '../../../../engine/contract/push-service.ts';
import type { Lane } from '../../../../engine/contract/topics.ts';
import { limitOf } from '../../standing/read-standing.ts';
import { listLimits } from '../../standing/store.ts';
import { readPushServices } from '../progress/push-services.ts';
import type { PushServiceCounts } from '../progress/push-services-schema.ts';
import { sumServices } from '../progress/service-sums.ts';
import type { StoredDelivery } from '../store.ts';
import type { deliveryLimit } from './limits-schema.ts';

export type DeliveryLimit = Static<typeof deliveryLimit>;

/** The app's other running deliveries, whose messages share the allowed rate; of more, the oldest. */
const MOST_OTHERS = 20;

/** How long a running delivery waits for push services that limit its app. Mostly none does. */
export async function readLimits(
  sql: Sql,
  appId: AppId,
  delivery: StoredDelivery,
  services: readonly PushServiceCounts[],
  nowMs: number,
): Promise<DeliveryLimit[]> {
  if (delivery.status !== 'processing' || delivery.rehearsal) return [];
  const limits = await listLimits(sql, appId);
  if (limits.length === 0) return [];
  const before = await readMixBefore(sql, appId, delivery.id);
  const others = await readOthers(sql, appId, delivery);
  return limits.map((limit) => {
    const service = limit.push_service;
    const waiting = waitingAt(delivery, services, service, before);
    const ahead = others.reduce((sum, other) => sum + waitingAt(other, other.services, service, before), 0);
    const left = leftAt({ waiting, ahead, allowed: limit.allowed_per_minute }, untilExpiryS(delivery, nowMs));
    return { ...limitOf(limit), waiting, ...left };
  });
}

interface Queue {
  readonly waiting: number;
  /** Of other deliveries. */
  readonly ahead: number;
  readonly allowed: number;
}

/** A million at 1,000 a minute takes 16.7 hours. @param expiresInS infinite: nothing expires. */
export function leftAt({ waiting, ahead, allowed }: Queue, expiresInS: number) {
  const needed = ((waiting + ahead) / allowed) * 60;
  if (needed <= expiresInS) return { seconds_left: Math.ceil(needed), expiring: 0 };
  // What goes through until then belongs to all that wait, in proportion.
  const through = Math.floor((waiting * expiresInS) / needed);
  return { seconds_left: Math.ceil(expiresInS), expiring: waiting - through };
}

/** As engines count it (`dispatch/retry-policy.ts`). A TTL of 0 asks for one attempt, whenever that is. */
function untilExpiryS(delivery: StoredDelivery, nowMs: number): number {
  const acceptedAtMs = (delivery.scheduled_at ?? delivery.created_at).getTime();
  const ttlEndMs = delivery.ttl_seconds === 0 ? Infinity : acceptedAtMs + delivery.ttl_seconds * 1_000;
  return Math.max(0, (Math.min(ttlEndMs, delivery.expires_at?.getTime() ?? Infinity) - nowMs) / 1_000);
}

type Counts = Pick<
  StoredDelivery,
  'total_subscribers' | 'success_count' | 'failed_count' | 'capped_subscribers'
>;
type Mix = ReadonlyMap<PushService, number>;

/** Those that wait at one push service, and its share of those that were not tried yet. */
export function waitingAt(
  delivery: Counts,
  services: readonly Pick<PushServiceCounts, 'push_service' | 'accepted' | 'failed' | 'waiting'>[],
  service: PushService,
  before: Mix,
): number {
  const own = new Map(
    services.map((each) => [each.push_service, each.accepted + each.failed + each.waiting]),
  );
  const tried = services.reduce((sum, { waiting }) => sum + waiting, 0);
  const ended = delivery.success_count + delivery.failed_count + delivery.capped_subscribers;
  const untried = Math.max(0, delivery.total_subscribers - ended - tried);
  const waiting = services.find(({ push_service }) => push_service === service)?.waiting ?? 0;
  return waiting + Math.round(untried * (shareOf(own, service) ?? shareOf(before, service) ?? 1));
}

/** Null: nothing is known of any service; then all may be at this one. */
function shareOf(mix: Mix, service: PushService): number | null {
  const all = [...mix.values()].reduce((sum, count) => sum + count, 0);
  return all === 0 ? null : (mix.get(service) ?? 0) / all;
}

/** Where the app's readers were when it sent last. */
async function readMixBefore(sql: Sql, appId: AppId, id: DeliveryId): Promise<Mix> {
  const [last] = await sql.query<{ id: DeliveryId }>(
    `SELECT id FROM deliveries WHERE app_id = $1 AND id < $2 AND success_count > 0 AND NOT rehearsal AND NOT test
     ORDER BY id DESC LIMIT 1`,
    [appId, id],
  );
  const sums = last === undefined ? [] : await sumServices(sql, last.id);
  return new Map(sums.map(({ service, accepted, failed }) => [service, accepted + failed]));
}

interface Other extends Counts {
  readonly id: DeliveryId;
  readonly status: DeliveryStatus;
  readonly guarded_subscribers: number;
  readonly wished_subscribers: number;
  readonly ambiguous: number;
  readonly services: PushServiceCounts[];
}

/** That share the rate: bulk ones wait for breaking ones, which do not wait for them. */
async function readOthers(sql: Sql, appId: AppId, { id, lane }: StoredDelivery): Promise<Other[]> {
  const lanes: Lane[] = lane === 'breaking' ? ['breaking'] : ['bulk', 'breaking'];
  const rows = await sql.query<Omit<Other, 'services'>>(
    `SELECT id, status, total_subscribers, success_count, failed_count, capped_subscribers, guarded_subscribers,
       wished_subscribers, ambiguous_count AS ambiguous
     FROM deliveries WHERE app_id = $1 AND id <> $2 AND status = 'processing' AND lane = ANY($3)
       AND NOT rehearsal AND NOT test ORDER BY id LIMIT ${MOST_OTHERS}`,
    [appId, id, lanes],
  );
  const others: Other[] = [];
  for (const row of await withLiveCounts(sql, rows))
    others.push({ ...row, services: await readPushServices(sql, row) });
  return others;
}
