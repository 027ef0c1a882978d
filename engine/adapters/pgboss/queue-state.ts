import { type Topic, topics } from '../../contract/topics.ts';
import { compileOptions } from './options.ts';

/** A way to ask Postgres, in whoever's pool. */
interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** What a check from outside finds out about the log on Postgres. Nothing is created. */
export interface QueueState {
  /** All of them where no process has opened the log yet. */
  readonly missing: readonly string[];
  /** Messages that wait. */
  readonly lag: Readonly<Partial<Record<Topic, number>>>;
}

export async function readQueueState(sql: Sql): Promise<QueueState> {
  const { schema } = compileOptions({ url: '' });
  const wanted = topics.flatMap((topic) => [topic, `${topic}.dead`]);
  const [exists] = await sql.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    `${schema}.queue`,
  ]);
  if (!exists?.found) return { missing: wanted, lag: {} };
  const missing = await sql.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (SELECT FROM ${schema}.queue WHERE queue.name = name.name)`,
    [wanted],
  );
  const waiting = await sql.query<{ name: Topic; jobs: number }>(
    `SELECT name, count(*)::int AS jobs FROM ${schema}.job WHERE name = ANY($1) AND state < 'completed' GROUP BY name`,
    [topics],
  );
  return {
    missing: missing.map(({ name }) => name),
    lag: Object.fromEntries(waiting.map(({ name, jobs }) => [name, jobs])),
  };
}
