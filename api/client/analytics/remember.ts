import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';

/** The specification's "about 5 minutes". */
const KEEP_SECONDS = 300;
/** Rows past their time that one writing deletes: more than it adds, so the table stays as small as its use. */
const MAX_SWEPT = 100;

/**
 * Caches answers for all processes, by app and question. Calls of this process for a running computation share
 * it; another process may compute it once more. Failures are not cached.
 */
export function createRemember(sql: Sql, keepSeconds = KEEP_SECONDS) {
  const underWay = new Map<string, Promise<unknown>>();

  async function kept<Answer extends object>(
    appId: AppId,
    question: string,
    read: () => Promise<Answer>,
  ): Promise<Answer> {
    const found = await findAnswer<Answer>(sql, appId, question);
    if (found !== null) return found;
    const answer = await read();
    await keepAnswer(sql, appId, { question, answer, keepSeconds });
    return answer;
  }

  return function remember<Answer extends object>(
    appId: AppId,
    question: string,
    read: () => Promise<Answer>,
  ): Promise<Answer> {
    const key = `${appId} ${question}`;
    // A key belongs to one question, and a question to one kind of answer.
    const shared = underWay.get(key) as Promise<Answer> | undefined;
    if (shared !== undefined) return shared;
    const work = kept(appId, question, read).finally(() => underWay.delete(key));
    underWay.set(key, work);
    return work;
  };
}

async function findAnswer<Answer>(sql: Sql, appId: AppId, question: string): Promise<Answer | null> {
  const [row] = await sql.query<{ answer: Answer }>(
    `SELECT answer FROM analytics_cache WHERE app_id = $1 AND question = $2 AND until > now()`,
    [appId, question],
  );
  return row?.answer ?? null;
}

/** Rows that another process sweeps or writes at this moment are ignored. */
async function keepAnswer(
  sql: Sql,
  appId: AppId,
  { question, answer, keepSeconds }: { question: string; answer: object; keepSeconds: number },
): Promise<void> {
  await sql.query(
    `WITH old AS (
       SELECT app_id, question FROM analytics_cache
       WHERE until < now() AND (app_id, question) <> ($1, $2) LIMIT ${MAX_SWEPT} FOR UPDATE SKIP LOCKED
     ), swept AS (
       DELETE FROM analytics_cache USING old
       WHERE analytics_cache.app_id = old.app_id AND analytics_cache.question = old.question
     )
     INSERT INTO analytics_cache (app_id, question, answer, until)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4))
     ON CONFLICT (app_id, question) DO UPDATE SET answer = excluded.answer, until = excluded.until`,
    [appId, question, JSON.stringify(answer), keepSeconds],
  );
}
