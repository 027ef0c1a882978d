// tier: system
import { describe, expect, it } from 'vitest';
import type { AppId } from '../../engine/contract/ids.ts';
import { cases } from '../support/cases.ts';
import { subscriptionKey } from '../support/memory-stores/tables.ts';
import { type SimulatedEngine, startSimulatedEngine } from './simulation/engine.ts';
import { type LimitedRequest, type LimitedServices, limitedServices } from './simulation/limited-services.ts';
import { createWorld, type World } from './simulation/world.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** As Chrome limits a site. */
const ALLOWED = 1_000;
const FCM = 'fcm.googleapis.com';
const APP = 1 as AppId;
const SEED = 4;
const READERS = cases(8_000, 12_000);
/** Every tenth reader is at another push service. */
const AT_FCM = READERS - READERS / 10;
/** Of a hundred readers, those who were there today. */
const ACTIVE_TODAY = 10;
const MOST_REQUESTS = 3 * READERS;

interface Run {
  readonly world: World;
  readonly services: LimitedServices;
  readonly engines: readonly SimulatedEngine[];
  readonly startedAtMs: number;
}

async function start(ttlSeconds: number): Promise<Run> {
  const calm = createWorld(SEED, null);
  Object.assign(calm.services.temper, { throttled: 0, rejected: 0, failing: 0, silent: 0 });
  Object.assign(calm.logWeather, { repeating: 0, lagging: 0, forgetting: 0, losing: 0 });
  const budgetNow = (): number =>
    calm.tables.standings.all()[0]?.limited.allowedPerMinute ?? Number.POSITIVE_INFINITY;
  const services = limitedServices(calm.services, calm.clock, FCM, ALLOWED, budgetNow);
  const world = { ...calm, services, maxInFlight: 100 };
  const { tables, publisher } = world;
  for (let seq = 0; seq < READERS; seq++) {
    publisher.subscribe(APP, seq, endpointFor(seq));
    const key = subscriptionKey(APP, seq);
    const row = tables.subscriptions.get(key);
    const lastSeenAtMs = tables.now() - (isActive(seq) ? 0.5 : 60) * DAY;
    if (row !== undefined) tables.subscriptions.put(key, { ...row, lastSeenAtMs });
  }
  const engines = await Promise.all(
    [1, 2, 3].map((number) => startSimulatedEngine(world, `engine-${number}`)),
  );
  publisher.createDelivery(APP, { ttlSeconds });
  return { world, services, engines, startedAtMs: world.clock.now() };
}

const isAtFcm = (seq: number): boolean => seq % 10 !== 0;
const endpointFor = (seq: number): string =>
  isAtFcm(seq)
    ? `https://${FCM}/${APP}/${seq}/0`
    : `https://updates.push.services.mozilla.com/${APP}/${seq}/0`;
/** Spread over all blocks, and over both push services. */
const isActive = (seq: number): boolean => (seq * 37) % 100 < ACTIVE_TODAY;

/** Plays until the delivery has ended; one of the three engines dies on the way. */
async function play({ world, services, engines, startedAtMs }: Run): Promise<number> {
  const { clock, tables } = world;
  world.clock.setTimer(5 * MINUTE, () => engines[1]?.crash());
  const status = () => tables.deliveries.all()[0]?.status ?? '';
  while (['pending', 'queued', 'processing'].includes(status())) {
    await new Promise(setImmediate);
    // A build that does not wait asks without end.
    if (services.requests.length > MOST_REQUESTS) throw new Error(`${services.requests.length} requests`);
    if (clock.now() - startedAtMs > 3 * 60 * MINUTE || !clock.advanceToNext()) throw new Error(status());
  }
  for (const engine of engines) engine.process.die();
  return clock.now() - startedAtMs;
}

describe('three engines that send for an app which Chrome limits to 1,000 messages a minute', () => {
  it('share one budget, lose an engine, serve everyone, and the most recently active first', async () => {
    const run = await start(2_419_200);
    const tookMs = await play(run);
    const { world, services, startedAtMs } = run;
    expect(world.tables.deliveries.all()[0]).toMatchObject({
      status: 'success',
      accepted: READERS,
      failed: 0,
    });

    const [standing] = world.tables.standings.all();
    if (standing === undefined) throw new Error('the limit was not noticed');
    expect(standing.service).toBe('fcm');
    expect(standing.limited.lowestPerMinute).toBeGreaterThanOrEqual(ALLOWED * 0.6);
    expect(standing.limited.lowestPerMinute).toBeLessThanOrEqual(ALLOWED);
    const { requests } = services;
    const knownAtMs = services.firstThrottledAtMs() + 3 * MINUTE;
    const later = requests.filter(({ atMs }) => atMs >= knownAtMs);
    expect(later.length).toBeGreaterThan(AT_FCM / 4);

    // In any minute at most the budget and 2 %.
    const used = minutesOf(later).map(({ requests: count, budget }) => count / budget);
    expect(Math.max(...used)).toBeLessThanOrEqual(1.02);
    expect(Math.max(...used)).toBeGreaterThan(0.95);
    const refused = later.filter(({ accepted }) => !accepted).length;
    expect(refused / later.length).toBeLessThan(0.06);

    // All of the budget is used: as long as 1,000 a minute take, and the minutes in which it was found out.
    expect(tookMs).toBeLessThan((AT_FCM / ALLOWED + 5) * MINUTE);

    // Push services that limit nothing are not held up.
    const othersEndedMs = Math.max(...services.others) - startedAtMs;
    expect(othersEndedMs).toBeLessThan(tookMs / 2 + MINUTE);

    const accepted = later.filter(({ accepted }) => accepted);
    const lastActive = accepted.findLastIndex(({ seq }) => isActive(seq));
    const tooEarly = accepted.slice(0, Math.max(0, lastActive)).filter(({ seq }) => !isActive(seq));
    expect(tooEarly.length).toBeLessThan(AT_FCM / 20);
  });

  it('count as expired what would come too late', async () => {
    const run = await start(4 * 60);
    await play(run);
    const delivery = run.world.tables.deliveries.all()[0];
    if (delivery === undefined) throw new Error('no delivery');
    expect(delivery).toMatchObject({ status: 'partial', total: READERS });
    expect(delivery.accepted + delivery.failed).toBe(READERS);
    expect(delivery.failed).toBeGreaterThan(AT_FCM - 5 * ALLOWED);
    expect(delivery.errorMessage).toContain('expired');
  });
});

/** The minute that ends with each request, and the highest budget that it had. */
function minutesOf(requests: readonly LimitedRequest[]): { requests: number; budget: number }[] {
  let first = 0;
  return requests.map(({ atMs }, index) => {
    while ((requests[first]?.atMs ?? atMs) <= atMs - MINUTE) first++;
    const minute = requests.slice(first, index + 1);
    return { requests: minute.length, budget: Math.max(...minute.map(({ budget }) => budget)) };
  });
}
