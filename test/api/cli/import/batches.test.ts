// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ImportRow, parseRow } from '../../../../api/cli/import/row.ts';
import { type ImportDeps, runImport } from '../../../../api/cli/import/run-import.ts';
import { storeBatch } from '../../../../api/cli/import/store.ts';
import { createStoreBatch } from '../../../../api/public/subscribe/store-batch.ts';
import type { ImportRecord } from '../../../../engine/kit/command-line/file/records.ts';
import { type BuiltApp, buildApp } from '../../../support/builders.ts';
import { until } from '../../../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { newEndpoint, newKeys } from '../../support.ts';

const policy = { hosts: ['push.example.com'], allowAnyHost: false };
const keys = newKeys();
const lineOf = (endpoint = newEndpoint()) => ({ endpoint, ...keys });
const rowsOf = (...endpoints: string[]): ImportRow[] =>
  endpoints.map((endpoint) => parseRow(lineOf(endpoint), policy) as ImportRow);

describe('a batch of an import that takes its time', () => {
  let test: TestDatabase;
  let app: BuiltApp;
  beforeEach(async () => {
    test = await createTestDatabase();
    app = await buildApp(test.database);
  });
  afterEach(() => test.drop());

  /**
   * A batch that waits, in the middle of its insert, for a transaction that holds one of its endpoints until
   * `work` is done.
   */
  async function whileOneIsWritten(work: () => Promise<void>): Promise<PromiseSettledResult<number>> {
    const held = newEndpoint();
    let importing: Promise<number> | null = null;
    await test.database
      .transaction(async (sql) => {
        // Its triggers would lock the app's row.
        await sql.query('SET LOCAL session_replication_role = replica');
        await sql.query(
          `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, vapid_key_number)
           SELECT id, 1000000, $2, $3, $4, vapid_key_number FROM apps WHERE id = $1`,
          [app.id, held, Buffer.alloc(65), Buffer.alloc(16)],
        );
        importing = storeBatch(test.database, app.id, rowsOf(newEndpoint(), held, newEndpoint()));
        await until('the batch to wait', async () => {
          const waiting = await test.database.query(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
               AND query LIKE '%INSERT INTO subscriptions%import_staging%'`,
          );
          return waiting.length > 0;
        });
        await work();
        throw new Error('let go');
      })
      .catch(() => {});
    const [ending] = await Promise.allSettled([importing as unknown as Promise<number>]);
    return ending;
  }
  const countsOf = async () => {
    const [row] = await test.database.query(
      `SELECT subscriber_count AS counted, (SELECT count(*) FROM subscriptions WHERE app_id = $1) AS stored,
         (SELECT coalesce(sum(new_subscribers), 0)::integer FROM subscriber_days WHERE app_id = $1) AS by_day
       FROM apps WHERE id = $1`,
      [app.id],
    );
    return row;
  };

  it('delays no subscribing browser, nor another batch', async () => {
    const subscribe = createStoreBatch(test.database);
    const ending = await whileOneIsWritten(async () => {
      const browser = {
        ...{ endpoint: newEndpoint(), p256dh: Buffer.alloc(65, 4), auth: Buffer.alloc(16, 1) },
        ...{ userIdentity: null, secretHash: null, externalIds: {}, categoryIds: null, vapidKeyNumber: null },
        visitor: {},
      };
      const [stored] = await subscribe(app.id, [browser as never]);
      expect(stored?.kind).toBe('stored');
      expect(await storeBatch(test.database, app.id, rowsOf(newEndpoint(), newEndpoint()))).toBe(2);
    });
    expect(ending).toEqual({ status: 'fulfilled', value: 3 });
    expect(await countsOf()).toEqual({ counted: 6, stored: 6, by_day: 6 });
  });

  it('writes nothing to an app that was deleted meanwhile, and says so', async () => {
    const ending = await whileOneIsWritten(async () => {
      await test.database.query('UPDATE apps SET deleted_at = now() WHERE id = $1', [app.id]);
    });
    expect(ending).toMatchObject({ status: 'rejected', reason: { message: /was deleted while/ } });
    expect(await countsOf()).toMatchObject({ counted: 0, stored: 0, by_day: 0 });
  });
});

describe('batches of an import', () => {
  const LINES = 10_000;
  const endpoints = Array.from({ length: 4 * LINES }, () => newEndpoint());

  /** Stores nothing: each batch ends when the test says so. */
  function startImport(lines: readonly string[], onProgress: ImportDeps['onProgress'] = () => {}) {
    const begun: { first: string; end: (error?: Error) => void }[] = [];
    async function* records(): AsyncGenerator<ImportRecord[]> {
      yield lines.map((endpoint, n) => ({ line: n + 1, lines: 1, raw: '', value: lineOf(endpoint) }));
    }
    const done = runImport(records(), {
      storeBatch: (rows) =>
        new Promise((resolve, reject) => {
          const end = (error?: Error) => (error === undefined ? resolve(rows.length) : reject(error));
          begun.push({ first: rows[0]?.endpoint ?? '', end });
        }),
      parse: (value) => parseRow(value, policy),
      onRefusal: () => {},
      onProgress,
    });
    done.catch(() => {});
    return { done, begun };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('are written two at once', async () => {
    const { done, begun } = startImport(endpoints);
    await until('two to begin', async () => begun.length === 2);
    await settled();
    expect(begun).toHaveLength(2);
    begun[1]?.end();
    await until('the third to begin', async () => begun.length === 3);
    for (const { end } of begun) end();
    await until('the last to begin', async () => begun.length === 4);
    begun[3]?.end();
    expect(await done).toMatchObject({ lines: 4 * LINES, inserted: 4 * LINES });
  });

  it('report as progress the lines of batches that are written, refused ones included, and none read ahead', async () => {
    const mixed = endpoints.slice(0, 3 * LINES).flatMap((good) => [good, 'nonsense']);
    const progress: string[] = [];
    const { done, begun } = startImport(mixed, ({ lines, inserted, refused }, parsed) =>
      progress.push(`${lines} of ${parsed}: ${inserted} + ${refused}`),
    );
    await until('two to begin', async () => begun.length === 2);
    await settled();
    expect(progress).toEqual([]);
    begun[1]?.end();
    await until('the third to begin', async () => begun.length === 3);
    begun[0]?.end();
    begun[2]?.end();
    await done;
    expect(progress).toEqual([
      '20000 of 59999: 10000 + 10000',
      '39999 of 60000: 20000 + 19999',
      '59999 of 60000: 30000 + 29999',
      '60000 of 60000: 30000 + 30000',
    ]);
  });

  it('are written one after the other where they have an endpoint in common, so that the last line holds', async () => {
    const { done, begun } = startImport([...endpoints.slice(0, 2 * LINES - 1), endpoints[5] as string]);
    await until('the first to begin', async () => begun.length === 1);
    await settled();
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    await until('the second to begin', async () => begun.length === 2);
    begun[1]?.end();
    await done;
  });

  it('end with the first that fails, after the running ones', async () => {
    const { done, begun } = startImport(endpoints);
    await until('two to begin', async () => begun.length === 2);
    let isOver = false;
    void done.catch(() => {
      isOver = true;
    });
    begun[1]?.end(new Error('Postgres is away'));
    await settled();
    expect(isOver).toBe(false);
    begun[0]?.end();
    await expect(done).rejects.toThrow('Postgres is away');
    expect(begun).toHaveLength(2);
  });
});
