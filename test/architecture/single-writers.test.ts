// tier: unit
import { describe, expect, it } from 'vitest';
import { countsHome, deliveriesHome, foreignWrites } from './single-writers.ts';
import { repositoryRoot, temporaryTree } from './temporary-tree.ts';

const faultsOf = async (file: string, text: string): Promise<string[]> => {
  await using tree = await temporaryTree({ [file]: text });
  return foreignWrites(tree.root).faults;
};
const query = (text: string): string => `export const a = (sql) => sql.query(\`${text}\`, []);\n`;

describe('the one writer of an app’s counts, and of deliveries', () => {
  it.each([
    ['UPDATE apps SET active_subscriber_count = active_subscriber_count - $2 WHERE id = $1', 'changeCounts'],
    ['UPDATE apps SET name = $2, next_seq = next_seq + 1', 'changeCounts'],
    [
      'UPDATE apps AS a SET (subscriber_count, active_subscriber_count) = (SELECT 1, 2) WHERE $' + '{own}',
      'changeCounts',
    ],
    ['INSERT INTO apps (id, active_subscriber_count) VALUES (1, 2)', 'changeCounts'],
    ['INSERT INTO subscriptions (app_id, seq) VALUES ($1, $2)', 'changeCounts'],
    ['UPDATE subscriptions SET pruned_at = now(), status = $2 WHERE app_id = $1', 'unsubscribing'],
    ['WITH gone AS (DELETE FROM subscriptions WHERE app_id = $1 RETURNING 1) SELECT', 'deleting'],
    [
      'UPDATE subscriptions AS kept SET $' + "{more}, status = 'unsubscribed' WHERE app_id = $1",
      'unsubscribing',
    ],
    ['SELECT $' + '{columns} FROM subscriptions WHERE app_id = $1 FOR UPDATE', 'lockedRows'],
    [
      'SELECT 1 FROM subscriptions JOIN apps ON true ORDER BY random() FOR NO KEY UPDATE OF kept',
      'lockedRows',
    ],
  ])('refuses another: %s', async (text, instead) => {
    expect(await faultsOf('api/client/subscriptions/seed.ts', query(text))).toEqual([
      expect.stringMatching(new RegExp(`what ${countsHome} alone does\\.\\s+Use ${instead} of it`)),
    ]);
  });

  it('refuses a trigger of a migration that would be one', async () => {
    const text = 'CREATE FUNCTION f() AS $$ BEGIN UPDATE apps SET subscriber_count = 0; END $$;';
    expect(await faultsOf('engine/adapters/postgres/migrations/9999_seed.sql', text)).toHaveLength(1);
  });

  it('refuses a delivery that goes past what takes it to the log', async () => {
    const text = query('INSERT INTO deliveries (app_id, name) VALUES ($1, $2)');
    expect(await faultsOf('api/client/deliveries/seed.ts', text)).toEqual([
      expect.stringMatching(new RegExp(`what ${deliveriesHome} alone does\\.\\s+Use storeDelivery of it`)),
    ]);
    expect(await faultsOf(deliveriesHome, text)).toEqual([]);
  });

  it.each([
    'SELECT subscriber_count, next_seq FROM apps WHERE id = $1',
    'SELECT seq FROM subscriptions WHERE app_id = $1 LIMIT 5 FOR UPDATE SKIP LOCKED',
    "UPDATE subscriptions SET tags = $2, status = 'subscribed' WHERE app_id = $1",
    "UPDATE webhook_endpoints SET status = 'unsubscribed'",
  ])('lets pass what changes no count and waits for no lock: %s', async (text) => {
    expect(await faultsOf('api/client/subscriptions/seed.ts', query(text))).toEqual([]);
  });

  it('finds none in the tree', () => {
    const { files, faults } = foreignWrites(repositoryRoot);
    expect(files).toBeGreaterThan(1_000);
    expect(faults).toEqual([]);
  });
});
