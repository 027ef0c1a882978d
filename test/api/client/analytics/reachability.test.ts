// tier: postgres
import { describe, expect, it } from 'vitest';
import { appIdOf, insertSubscriptions } from '../../../support/subscriptions.ts';
import { appBody, callAs, createMember, openWithMember } from '../../support.ts';

describe('who can be reached', async () => {
  const { api, call } = await openWithMember();
  const app = (await call('POST', '/apps', appBody())).json().data.identifier;

  const read = async () => {
    await api.database.query('DELETE FROM analytics_cache');
    return (await call('GET', `/apps/${app}/analytics/reachability`)).json();
  };

  it('is nobody of an app without subscribers', async () => {
    expect(await read()).toMatchObject({ days: 30, subscribers: 0, reachable: 0, browsers: [] });
  });

  it('is who visited, clicked, or was shown something in the last 30 days, by browser', async () => {
    const appId = await appIdOf(api.database, app);
    await insertSubscriptions(
      api.database,
      appId,
      Array.from({ length: 8 }, () => ({})),
    );
    // Seq: 0 visited, 1 clicked, 2 was shown something, 3 nothing for long, 4 unsubscribed, 5 and 6 as 3, of Safari.
    await api.database.query(
      `UPDATE subscriptions SET
         browser_name = CASE WHEN seq IN (5, 6) THEN 'Safari' WHEN seq = 7 THEN NULL ELSE 'Chrome' END,
         status = CASE WHEN seq = 4 THEN 'unsubscribed' ELSE 'subscribed' END,
         last_seen_at = now() - make_interval(days => CASE WHEN seq IN (0, 4) THEN 29 ELSE 31 END),
         last_clicked_at = CASE WHEN seq = 1 THEN now() - interval '29 days' WHEN seq = 3 THEN now() - interval '31 days' END
       WHERE app_id = $1`,
      [appId],
    );
    api.analytics.reached.set('0 recent', Uint8Array.of(0b0001_0100));
    const expected = {
      ...{ days: 30, subscribers: 7, reachable: 3 },
      browsers: [
        { browser: 'Chrome', subscribers: 4, reachable: 3 },
        { browser: 'Safari', subscribers: 2, reachable: 0 },
        { browser: null, subscribers: 1, reachable: 0 },
      ],
    };
    expect(await read()).toMatchObject(expected);
    const rules = (operator: string) => ({ match: 'all', conditions: [{ field: 'reachable', operator }] });
    const count = async (operator: string) =>
      (await call('POST', `/apps/${app}/segments/preview`, { rules: rules(operator) })).json().data.count;
    expect([await count('is'), await count('is_not')]).toEqual([3, 4]);
  });

  it('is not known while ClickHouse is unavailable, and is for those who may read analytics', async () => {
    await api.database.query('DELETE FROM analytics_cache');
    api.analytics.away = true;
    expect((await call('GET', `/apps/${app}/analytics/reachability`)).statusCode).toBe(503);
    api.analytics.away = false;
    const stranger = callAs(api.app, await createMember(api.database));
    expect((await stranger('GET', `/apps/${app}/analytics/reachability`)).statusCode).toBe(404);
  });
});
