import type { AppId } from '../../contract/ids.ts';
import type { ClickHouse } from './clickhouse.ts';

interface Subscription {
  readonly appId: AppId;
  readonly seq: number;
}

/**
 * Deletes apps and subscriptions in ClickHouse by mutations: ClickHouse rewrites the affected parts in the
 * background. A mutation begun again finds nothing to change.
 */
export interface StatisticsChanges {
  /** Whether a mutation still runs. A server that stops goes on with it when it starts. */
  changing(): Promise<boolean>;
  /** Begins to delete every row of the apps. */
  deleteApps(appIds: readonly AppId[]): Promise<void>;
  /**
   * Begins to give the subscriptions other numbers, from 2^63 on, where no `seq` is: the same one in all of an
   * app's rows, so that totals and distinct counts stay. They are derived from the key (16 bytes), and cannot
   * be traced back once it is deleted.
   */
  makeAnonymous(subscriptions: readonly Subscription[], key: Uint8Array): Promise<void>;
  /**
   * Deletes the texts of mutations that have ended. ClickHouse keeps the last hundred of each table on disk,
   * the key and the numbers among them, and can be set to keep one, but not none. Those that still run stay.
   */
  dropTexts(): Promise<void>;
}

export function createStatisticsChanges({ client }: ClickHouse): StatisticsChanges {
  async function rows<Row>(query: string): Promise<Row[]> {
    return (await client.query({ query, format: 'JSONEachRow' })).json<Row>();
  }

  return {
    changing: async () => {
      const [found] = await rows<{ running: string | number }>(
        `SELECT count() AS running FROM system.mutations WHERE database = currentDatabase() AND NOT is_done`,
      );
      return Number(found?.running ?? 0) > 0;
    },
    dropTexts: async () => {
      // Of one that has ended, this removes its file and nothing else.
      await client.command({ query: `KILL MUTATION WHERE database = currentDatabase() AND is_done` });
    },
    deleteApps: async (appIds) => {
      for (const { table } of await rows<{ table: string }>(tablesOfApps)) {
        await client.command({
          query: `ALTER TABLE ${table} DELETE WHERE app_id IN (${appIds.map(Math.trunc).join(', ')}) SETTINGS mutations_sync = 0`,
        });
      }
    },
    makeAnonymous: async (subscriptions, key) => {
      const numbers = numbersUnder(key);
      for (const query of [
        `ALTER TABLE outcomes UPDATE seq = ${numbers('seq')} WHERE ${named(subscriptions, 'seq')}`,
        `ALTER TABLE events UPDATE subscriber = ${numbers('subscriber')}
         WHERE ${named(subscriptions, 'subscriber')}`,
        bitmapStatement(subscriptions, numbers),
        // Asked only for subscriptions that are there.
        `ALTER TABLE clicks_by_subscriber DELETE WHERE ${named(subscriptions, 'seq')}`,
      ]) {
        // Not into the server's own log of queries: the text names them.
        await client.command({ query: `${query} SETTINGS mutations_sync = 0, log_queries = 0` });
      }
    },
  };
}

/** Includes tables that are added later; views have no rows of their own. */
const tablesOfApps = `
  SELECT table FROM system.columns AS columns JOIN system.tables AS tables
    ON tables.database = columns.database AND tables.name = columns.table
  WHERE columns.database = currentDatabase() AND columns.name = 'app_id' AND tables.engine LIKE '%MergeTree'
  ORDER BY table`;

/**
 * The subscriptions are part of the text, as integers that we format: request parameters are in the URL, which
 * is too short for them.
 */
function named(subscriptions: readonly Subscription[], column: string): string {
  const pairs = subscriptions.map(({ appId, seq }) => `(${Math.trunc(appId)},${Math.trunc(seq)})`);
  // The apps apart, so that the primary key is used.
  return `app_id IN (${appsOf(subscriptions).join(',')}) AND (app_id, ${column}) IN (${pairs.join(',')})`;
}

const appsOf = (subscriptions: readonly Subscription[]): number[] => [
  ...new Set(subscriptions.map(({ appId }) => Math.trunc(appId))),
];

/** A column's new value, from its old one and the app. */
type Numbers = (column: string) => string;

function numbersUnder(key: Uint8Array): Numbers {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  const halves = [0, 8].map((offset) => `toUInt64('${view.getBigUint64(offset)}')`);
  return (column) =>
    `bitOr(sipHash64Keyed((${halves.join(', ')}), app_id, toUInt64(${column})), bitShiftLeft(toUInt64(1), 63))`;
}

/** The members of a bitmap are replaced one by one; absent ones are skipped. */
function bitmapStatement(subscriptions: readonly Subscription[], numbers: Numbers): string {
  const lists = appsOf(subscriptions).map((app) => {
    const seqs = subscriptions.filter(({ appId }) => appId === app).map(({ seq }) => Math.trunc(seq));
    return { app, list: `CAST([${seqs.join(',')}], 'Array(UInt64)')` };
  });
  const hasAny = lists.map(
    ({ app, list }) => `(app_id = ${app} AND bitmapHasAny(subscribers, bitmapBuild(${list})))`,
  );
  const own = `multiIf(${lists.map(({ app, list }) => `app_id = ${app}, ${list}`).join(', ')}, CAST([], 'Array(UInt64)'))`;
  return `ALTER TABLE events_by_day
    UPDATE subscribers = bitmapTransform(subscribers, ${own}, arrayMap(each -> ${numbers('each')}, ${own}))
    WHERE ${hasAny.join(' OR ')}`;
}
