// tier: postgres
import { describe, expect, it } from 'vitest';
import { buildAccepted } from '../../../support/builders.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';
import { appIdOf, insertSubscriptions } from '../../../support/subscriptions.ts';
import { appBody, openWithMember } from '../../support.ts';

describe('readers who were never reachable', async () => {
  const { api, member, call } = await openWithMember();
  const app = (await call('POST', '/apps', appBody())).json().data.identifier;
  const appId = await appIdOf(api.database, app);
  const old = new Date(Date.now() - 200 * 86_400_000).toISOString();
  await insertSubscriptions(
    api.database,
    appId,
    Array.from({ length: 5 }, (_, seq) => ({
      browser_name: seq < 3 ? 'Chrome' : 'Safari',
      ...{ created_at: old, last_seen_at: old },
    })),
  );
  await api.database.query(`UPDATE subscriptions SET secret_hash = sha256(int4send(seq)) WHERE app_id = $1`, [
    appId,
  ]);
  const { id } = await buildAccepted(api.database, appId, [0, 1, 2, 3, 4]);
  await api.database.query('UPDATE blocks SET slots_at = now() WHERE delivery_id = $1', [id]);
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const env = { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token };
  const run = (...args: string[]) => runCliHere(['apps', 'unreachable', app, ...args], { cwd: '/', env });

  const read = async (days: number) => (await call('GET', `/apps/${app}/unreachable?days=${days}`)).json();

  it('are counted before pruning is switched on, by browser', async () => {
    expect((await read(180)).data).toMatchObject({ count: 0, displays_known: false });
    api.analytics.reached.set('0 recent', Uint8Array.of(0b0000_0001));
    expect((await read(180)).data).toEqual({
      ...{ days: 180, count: 4, exact: true, displays_known: true },
      browsers: [
        { browser: 'Chrome', count: 2 },
        { browser: 'Safari', count: 2 },
      ],
    });
    expect((await read(201)).data.count).toBe(0);
    expect((await read(59)).errors).toHaveProperty('days');
  });

  it('are not known while ClickHouse is unavailable', async () => {
    api.analytics.away = true;
    expect((await call('GET', `/apps/${app}/unreachable`)).statusCode).toBe(503);
    api.analytics.away = false;
  });

  it('are unsubscribed where the app says so: a setting of 60 to 400 days, off at first', async () => {
    const change = async (days: number | null) =>
      (await call('PATCH', `/apps/${app}`, appBody({ prune_unreachable_days: days }))).json();
    expect((await call('GET', `/apps/${app}`)).json().data.prune_unreachable_days).toBeNull();
    expect((await change(59)).errors).toHaveProperty('prune_unreachable_days');
    expect((await change(401)).errors).toHaveProperty('prune_unreachable_days');
    expect((await change(60)).data.prune_unreachable_days).toBe(60);
    expect((await change(null)).data.prune_unreachable_days).toBeNull();
  });

  it('are counted and pruned from the command line', async () => {
    const { out, code } = await run('--days', '180', '--prune');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^4 readers showed no activity in 180 days\.\nChrome {2}2\n/),
    ]);
    expect((await call('GET', `/apps/${app}`)).json().data.prune_unreachable_days).toBe(180);
    expect(JSON.parse((await run('--json')).out)).toMatchObject({ days: 180, count: 4 });
    expect((await run('--keep')).out).toContain('Nobody is unsubscribed');
    expect((await call('GET', `/apps/${app}`)).json().data.prune_unreachable_days).toBeNull();
    expect((await run('--prune')).err).toContain('Name the days');
  });
});
