import type { Database } from '../../engine/adapters/postgres/database.ts';
import { type BuiltApp, buildApp } from '../../test/support/builders.ts';
import { makeDeliveries, makeSent, makeSubscriptions } from '../api/make-rows.ts';
import { startApiProcess } from '../api/subscribe.ts';
import { startDatabases } from '../stand/databases.ts';
import { type Ask, type Asked, askEvenly, askOnce, newAsked, percentile } from './ask.ts';
import { greedy, ordinary, subscribe } from './requests.ts';
import { newTokens } from './tokens.ts';

export interface NeighboursOptions {
  /** Of the greedy organization's app, and of the other's. */
  readonly subscribers: number;
  /** Pairs of measurements: alone, and beside the greedy one, each first in turn. */
  readonly rounds: number;
  /** Of one measurement. */
  readonly seconds: number;
  /** Users of the greedy organization, each asking as fast as answers come, up to the rate limit. */
  readonly users: number;
  readonly json: boolean;
}

type Side = 'alone' | 'beside';
type Measured = Record<Side, Asked>;

const ORDINARY_PER_SECOND = 2;
const SUBSCRIBES_PER_SECOND = 20;
const DELIVERIES = 10_000;
/** Requests in flight per user of the greedy side. */
const AT_ONCE = 4;
/** As of a session: ten times a token's limit. */
const RATE_PER_MINUTE = 600;
const AIM = 2;

/** @returns the exit code: 1 where the other organization, or browsers, got an answer other than 2xx. */
export async function runNeighboursBench(options: NeighboursOptions): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const say = (text: string): void => void (options.json || console.error(`  ${text}`));
  say('starting Postgres and ClickHouse');
  const { database, environment } = await startDatabases(opened);
  const [dear, other] = [await makeApp(database, options), await makeApp(database, options)];
  await database.query('VACUUM ANALYZE');
  const api = await startApiProcess({ ...environment, CLIENT_RATE_PER_MINUTE: String(RATE_PER_MINUTE) });
  opened.defer(() => api.process_.stop().then(() => {}));
  const tokens = await newTokens(database, dear.organizationId, options.users);
  const [own = ''] = await newTokens(database, other.organizationId, 1);
  const asks = { client: ordinary(api.url, other, own), browsers: [subscribe(api.url, other)] };
  await askEvenly([...asks.client, ...asks.browsers], { perSecond: 5, seconds: 3 });

  const client: Measured = { alone: newAsked(), beside: newAsked() };
  const browsers: Measured = { alone: newAsked(), beside: newAsked() };
  const crowd = newAsked();
  for (let round = 0; round < options.rounds; round++) {
    const sides: readonly Side[] = round % 2 === 0 ? ['alone', 'beside'] : ['beside', 'alone'];
    for (const side of sides) {
      say(`round ${round + 1}: ${side}`);
      // Otherwise one side would find the other's answers remembered.
      await database.query('DELETE FROM analytics_cache');
      await database.query('DELETE FROM request_hits');
      const stop =
        side === 'beside'
          ? startGreedy(
              tokens.map((token) => greedy(api.url, dear, token)),
              crowd,
            )
          : null;
      const { seconds } = options;
      const [found, subscribed] = await Promise.all([
        askEvenly(asks.client, { perSecond: ORDINARY_PER_SECOND, seconds }),
        askEvenly(asks.browsers, { perSecond: SUBSCRIBES_PER_SECOND, seconds }),
      ]);
      await stop?.();
      for (const asked of found.values()) add(client[side], asked);
      for (const asked of subscribed.values()) add(browsers[side], asked);
    }
  }
  return show({ client, browsers, crowd }, options.json);
}

async function makeApp(database: Database, { subscribers }: NeighboursOptions): Promise<BuiltApp> {
  const app = await buildApp(database);
  await makeSubscriptions(database, app.id, subscribers, () => {});
  await makeSent(database, app.id, subscribers);
  await makeDeliveries(database, app.id, DELIVERIES, () => {});
  return app;
}

/**
 * Each user keeps some requests in flight, whatever the answers. @returns a function that stops them, and waits
 * for the last.
 */
function startGreedy(users: readonly (readonly Ask[])[], asked: Asked): () => Promise<void> {
  let isOver = false;
  const loops = users.flatMap((asks, user) =>
    Array.from({ length: AT_ONCE }, async (_, loop) => {
      for (let n = user + loop; !isOver; n += AT_ONCE) {
        const ask = asks[n % asks.length];
        if (ask) await askOnce(ask, asked);
        // No client's loop is quicker; and a refusal must not make the bench the load.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }),
  );
  return async () => {
    isOver = true;
    await Promise.all(loops);
  };
}

function add(into: Asked, more: Asked): void {
  into.times.push(...more.times);
  for (const [status, count] of Object.entries(more.statuses))
    into.statuses[status] = (into.statuses[status] ?? 0) + count;
}

const rowOf = (who: string, { alone, beside }: Measured) => {
  const [p50, p50Beside] = [percentile(alone.times, 0.5), percentile(beside.times, 0.5)];
  const [p99, p99Beside] = [percentile(alone.times, 0.99), percentile(beside.times, 0.99)];
  const ratio = Math.round((p99Beside / p99) * 100) / 100;
  return { who, requests: beside.times.length, p50, p50Beside, p99, p99Beside, ratio, within: ratio <= AIM };
};

function show(
  { client, browsers, crowd }: { client: Measured; browsers: Measured; crowd: Asked },
  json: boolean,
): number {
  const rows = [rowOf('another organization', client), rowOf('browsers that subscribe', browsers)];
  const refused = [client, browsers].flatMap(({ alone, beside }) =>
    [alone, beside].flatMap(({ statuses }) =>
      Object.keys(statuses).filter((status) => !status.startsWith('2')),
    ),
  );
  if (json) console.log(JSON.stringify({ rows, greedy: crowd.statuses, refused }));
  else {
    console.table(rows);
    console.log('the greedy organization was answered', crowd.statuses);
    if (refused.length > 0) console.log('its neighbours were refused:', refused);
  }
  return refused.length === 0 ? 0 : 1;
}
