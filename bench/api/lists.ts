import type { Ability } from '../../api/auth/abilities.ts';
import { createToken } from '../../api/auth/token-store.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { toId } from '../../engine/contract/ids.ts';
import { formatToken } from '../../engine/kit/http/token.ts';
import { type BuiltApp, buildApp } from '../../test/support/builders.ts';
import { startDatabases } from '../stand/databases.ts';
import { createHttp, type Http } from '../stand/http.ts';
import { listCases } from './list-cases.ts';
import { makeDeliveries, makeSent, makeSubscriptions } from './make-rows.ts';
import { startApiProcess } from './subscribe.ts';

export interface ListsBenchOptions {
  readonly subscribers: number;
  readonly deliveries: number;
  /** Counted requests for each page; one before them warms up. */
  readonly rounds: number;
  readonly onStep: (text: string) => void;
  readonly onRows: (what: string, made: number, total: number) => void;
}

export interface ListRow {
  readonly list: string;
  readonly page: 'first' | 'last';
  readonly total: number;
  readonly min_ms: number;
  readonly median_ms: number;
  readonly max_ms: number;
}

const PER_PAGE = 100;

/** One app with all the rows, embedded Postgres in a fresh folder, one API process, one request at a time. */
export async function benchLists(options: ListsBenchOptions): Promise<ListRow[]> {
  await using opened = new AsyncDisposableStack();
  options.onStep('starting Postgres and ClickHouse');
  const { database, environment } = await startDatabases(opened);
  const app = await buildApp(database);
  await makeRows(database, app, options);
  options.onStep('starting the API');
  const api = await startApiProcess({ ...environment, CLIENT_RATE_PER_MINUTE: '10000' });
  opened.defer(() => api.process_.stop().then(() => {}));
  const client = createHttp(
    `${api.url}/api/v1/client`,
    await newToken(database, app, ['subscriptions:read', 'deliveries:read']),
  );
  const rows: ListRow[] = [];
  for (const list of listCases(new Date())) {
    options.onStep(list);
    rows.push(...(await measure(client, app, list, options.rounds)));
  }
  return rows;
}

export async function makeRows(database: Database, app: BuiltApp, options: ListsBenchOptions): Promise<void> {
  const { subscribers, deliveries, onRows } = options;
  await makeSubscriptions(database, app.id, subscribers, (made) =>
    onRows('subscriptions', made, subscribers),
  );
  await makeSent(database, app.id, subscribers);
  await makeDeliveries(database, app.id, deliveries, (made) => onRows('deliveries', made, deliveries));
  options.onStep('vacuuming, as Postgres does on its own after a while');
  await database.query('VACUUM ANALYZE');
}

export async function newToken(
  database: Database,
  app: BuiltApp,
  abilities: readonly Ability[],
): Promise<string> {
  const [user] = await database.query<{ id: number }>(
    `INSERT INTO users (organization_id, email, name, role) VALUES ($1, 'bench@news.example', 'Bench', 'admin') RETURNING id`,
    [app.organizationId],
  );
  return formatToken(await createToken(database, { userId: toId(user?.id), name: 'bench', abilities }));
}

interface ListAnswer {
  readonly data: readonly unknown[];
  readonly meta: { readonly total: number; readonly last_page: number };
}

async function measure(client: Http, app: BuiltApp, list: string, rounds: number): Promise<ListRow[]> {
  const path = (page: number) =>
    encodeURI(`/apps/${app.identifier}/${list}&per_page=${PER_PAGE}&page=${page}`);
  const { meta } = await client.get<ListAnswer>(path(1));
  const rows: ListRow[] = [];
  for (const [page, number] of [
    ['first', 1],
    ['last', meta.last_page],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const startedAt = performance.now();
      const answer = await client.get<ListAnswer>(path(number));
      if (round > 0) times.push(performance.now() - startedAt);
      const expected = number === meta.last_page ? meta.total - (number - 1) * PER_PAGE : PER_PAGE;
      if (answer.data.length !== expected)
        throw new Error(`${path(number)} answered ${answer.data.length} rows, not ${expected}`);
    }
    rows.push({ list, page, total: meta.total, ...spread(times) });
  }
  return rows;
}

export function spread(times: readonly number[]): { min_ms: number; median_ms: number; max_ms: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (index: number): number => Math.round((sorted[index] ?? Number.NaN) * 10) / 10;
  return { min_ms: at(0), median_ms: at(Math.floor(sorted.length / 2)), max_ms: at(sorted.length - 1) };
}
