import type { Database } from '../../../engine/adapters/postgres/database.ts';

const questions = {
  'open shards': `SELECT id, delivery_id, state, lease_owner, attempts, due_at - now() AS due_in FROM shards
    WHERE state NOT IN ('settled', 'stopped')`,
  outbox: `SELECT id, topic, key, batch_id, now() - created_at AS age FROM outbox LIMIT 20`,
  sessions: `SELECT pid, application_name, state, wait_event_type, wait_event, now() - state_change AS since,
      left(regexp_replace(query, '\\s+', ' ', 'g'), 120) AS query FROM pg_stat_activity
    WHERE state <> 'idle' AND pid <> pg_backend_pid()`,
} as const;

/** The pending work of a run that did not become quiet, for debugging. */
export async function readLeftovers(database: Database): Promise<string> {
  const answers = await Promise.all(
    Object.entries(questions).map(async ([title, text]) => {
      const rows = await database.query(text);
      return [`--- ${title}`, ...rows.map((row) => JSON.stringify(row))].join('\n');
    }),
  );
  return answers.join('\n');
}
