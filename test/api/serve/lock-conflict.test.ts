// tier: postgres
import { expect, it } from 'vitest';
import { until } from '../../support/engine-harness.ts';
import { appBody, callAs, createMember, openTestApi } from '../support.ts';

const api = await openTestApi();

it('a request that loses a deadlock is answered with 503, and has changed nothing', async () => {
  const { app: server, database } = api;
  const call = callAs(server, await createMember(database));
  const app = String((await call('POST', '/apps', appBody())).json().data.identifier);
  const path = `/apps/${app}/delivery-categories`;
  // As a migration does: it holds one table and then wants another one, which the request holds.
  await database.query('CREATE TABLE held ()');
  await database.query(`CREATE FUNCTION wait_for_held() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN LOCK TABLE held; RETURN NEW; END'`);
  await database.query(`CREATE TRIGGER wait BEFORE INSERT ON delivery_categories FOR EACH ROW
    EXECUTE FUNCTION wait_for_held()`);
  const answer = await database.transaction(async (migration) => {
    await migration.query('LOCK TABLE held');
    const request = call('POST', path, { name: 'Sport' });
    await until('the request waits', async () => {
      const [row] = await database.query<{ waits: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'held'::regclass) AS waits`,
      );
      return row?.waits === true;
    });
    await migration.query('LOCK TABLE delivery_categories');
    return await request;
  });
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  await database.query('DROP TRIGGER wait ON delivery_categories');
  expect((await call('GET', path)).json().data).toEqual([]);
  expect((await call('POST', path, { name: 'Sport' })).statusCode).toBe(201);
});
