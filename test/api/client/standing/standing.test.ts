// tier: postgres
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { buildAccepted, buildDelivery } from '../../../support/builders.ts';
import { buildLimit, buildMinute } from '../../../support/standings.ts';
import { appIdOf, insertSubscriptions } from '../../../support/subscriptions.ts';
import { appBody, openWithMember } from '../../support.ts';

describe('the standing of an app', async () => {
  let app: string;
  let appId: AppId;
  const { api, call } = await openWithMember();
  beforeEach(async () => {
    app = (await call('POST', '/apps', appBody())).json().data.identifier;
    appId = await appIdOf(api.database, app);
  });

  const standing = async () => (await call('GET', `/apps/${app}/standing`)).json().data;
  const readers = async () => {
    await api.database.query('DELETE FROM analytics_cache');
    return (await call('GET', `/apps/${app}/standing/readers`)).json().data;
  };
  const nearLimit = async (body: object = {}) =>
    (await call('POST', `/apps/${app}/standing/near-limit`, body)).json().data;

  it('is normal at every push service of an app that none ever limited', async () => {
    expect(await standing()).toEqual({
      push_services: ['fcm', 'mozilla', 'wns', 'apple'].map((push_service) => ({
        push_service,
        standing: 'normal',
        limit: null,
      })),
      episodes: [],
      throttled_hours: [],
      chrome_guard: null,
    });
    expect(await readers()).toMatchObject({
      exact: true,
      week: [],
      revocation: { subscribers: 0, near: 0, at_limit: 0, percent: 0 },
      pushes: [],
    });
  });

  it('says since when a push service limits the app, and until when; and keeps what is over', async () => {
    await buildLimit(api.database, appId, { hoursAgo: 900, endedHoursAgo: 870, lowest: 900 });
    await buildLimit(api.database, appId, { hoursAgo: 3, probableHours: 24 });
    const { push_services: services, episodes } = await standing();
    expect(services[0]).toMatchObject({
      push_service: 'fcm',
      standing: 'limited',
      limit: { allowed_per_minute: 1_000, probable_end_at: expect.any(String) },
    });
    expect(services[1]).toMatchObject({ push_service: 'mozilla', standing: 'normal' });
    expect(episodes).toMatchObject([
      { push_service: 'fcm', ended_at: null },
      { push_service: 'fcm', ended_at: expect.any(String), lowest_per_minute: 900 },
    ]);
  });

  it('sums throttled answers by the hour, for seven days', async () => {
    for (const minutesAgo of [61, 62, 63]) await buildMinute(api.database, appId, { minutesAgo });
    await buildMinute(api.database, appId, { minutesAgo: 8 * 24 * 60 });
    const hours = (await standing()).throttled_hours;
    const sum = (name: string) => hours.reduce((all: number, each: never) => all + each[name], 0);
    expect([sum('accepted'), sum('throttled')]).toEqual([3_000, 600]);
    expect(hours[0].hour).toMatch(/:00:00\+00:00$/);
  });

  it('counts a week’s notifications by browser, without what is older', async () => {
    await insertSubscriptions(api.database, appId, [
      ...Array.from({ length: 3 }, () => ({ browser_name: 'Chrome' })),
      { browser_name: 'Safari' },
      { browser_name: 'Safari', status: 'unsubscribed' as const },
    ]);
    for (const seqs of [[0, 1, 2, 3, 4], [0, 1], [0]]) await sent(seqs);
    await sent([0, 1, 2, 3], 8);
    expect((await readers()).week).toEqual([
      { browser: 'Chrome', subscribers: 3, per_reader: 2, most: 3 },
      { browser: 'Safari', subscribers: 1, per_reader: 1, most: 1 },
    ]);
  });

  it('counts those near Chrome’s limit, whether the guard is on or not, in an audience too', async () => {
    await insertSubscriptions(
      api.database,
      appId,
      Array.from({ length: 8 }, (_, seq) => ({
        browser_name: seq === 6 ? 'Firefox' : 'Chrome',
        country: seq < 3 ? 'DE' : 'FR',
        last_seen_at: new Date(Date.now() - (seq === 5 ? 1 : 30) * 86_400_000).toISOString(),
      })),
    );
    await api.database.query(
      `UPDATE subscriptions SET os_name = CASE WHEN seq = 7 THEN 'Windows' ELSE 'Android' END WHERE app_id = $1`,
      [appId],
    );
    // 0: 24, near. 1 and 2: 27, at the limit. 3: 23, not near. 4: 24. 5 visits, 6 is not Chrome, 7 is not Android.
    for (let nth = 0; nth < 27; nth++)
      await sent([1, 2, 5, 6, 7, ...(nth < 24 ? [0, 4] : []), ...(nth < 23 ? [3] : [])]);
    expect((await readers()).revocation).toEqual({ subscribers: 8, near: 2, at_limit: 2, percent: 50 });
    expect(await nearLimit()).toEqual({ near: 2, at_limit: 2, exact: true, guarded: false });
    const germans = {
      match: 'all',
      conditions: [{ field: 'country', operator: 'in', values: ['DE'] }],
    };
    expect(await nearLimit({ rules: germans })).toMatchObject({ near: 1, at_limit: 2 });
    await call('PATCH', `/apps/${app}`, appBody({ chrome_guard: { android_max: 24 } }));
    expect(await nearLimit()).toEqual({ near: 1, at_limit: 4, exact: true, guarded: true });
    expect((await readers()).revocation).toMatchObject({ near: 1, at_limit: 4 });
  });

  it('takes an imported reader at Chrome’s push service for Chrome, by the lower limit but on a computer', async () => {
    const long = new Date(Date.now() - 30 * 86_400_000).toISOString();
    await insertSubscriptions(api.database, appId, [
      { last_seen_at: long },
      { last_seen_at: long, device_type: 'desktop' },
      { last_seen_at: long },
      { last_seen_at: long, browser_name: 'Opera' },
    ]);
    await api.database.query(
      `UPDATE subscriptions SET endpoint = CASE seq WHEN 2 THEN 'https://updates.push.services.mozilla.com/wpush/v2/'
         ELSE 'https://fcm.googleapis.com/fcm/send/' END || seq WHERE app_id = $1`,
      [appId],
    );
    for (let nth = 0; nth < 27; nth++) await sent([0, 1, 2, 3]);
    expect(await nearLimit()).toEqual({ near: 0, at_limit: 1, exact: true, guarded: false });
    for (let nth = 27; nth < 41; nth++) await sent([1, 2, 3]);
    expect(await nearLimit()).toEqual({ near: 0, at_limit: 2, exact: true, guarded: false });
  });

  it('counts whom each push cost, with an interval', async () => {
    await insertSubscriptions(
      api.database,
      appId,
      Array.from({ length: 10 }, (_, seq) => ({ status: seq < 2 ? 'unsubscribed' : 'subscribed' }) as const),
    );
    const id = await sent([0, 1, 2, 3, 4, 5, 6, 7]);
    await api.database.query(
      `UPDATE deliveries SET started_at = now() - interval '1 hour', success_count = 8 WHERE id = $1`,
      [id],
    );
    expect((await readers()).pushes).toMatchObject([
      { id, accepted: 8, unsubscribed: 2, percent: 25, percent_low: 7.148, percent_high: 59.072, open: true },
    ]);
  });

  it('tells a running delivery how long it waits', async () => {
    const id = await buildDelivery(api.database, appId, { status: 'processing', ttlSeconds: 1_000_000 });
    await api.database.query(
      `UPDATE deliveries SET started_at = now() + interval '1 minute', total_subscribers = 1000000 WHERE id = $1`,
      [id],
    );
    await api.database.query(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets) VALUES ($1, $2, 1, '{0}', 1000)`,
      [id, appId],
    );
    const forecast = async () =>
      (await call('GET', `/apps/${app}/deliveries/${id}/progress`)).json().data.forecast;
    expect(await forecast()).toBeNull();
    await buildLimit(api.database, appId, {});
    expect(await forecast()).toMatchObject({
      seconds_left: 60_000,
      limits: [{ push_service: 'fcm', waiting: 1_000_000, seconds_left: 60_000, expiring: 0 }],
    });
    await api.database.query('UPDATE deliveries SET ttl_seconds = 3600 WHERE id = $1', [id]);
    const [limit] = (await forecast()).limits;
    expect(limit.expiring).toBeGreaterThanOrEqual(940_000);
    await api.database.query('UPDATE push_service_standings SET ended_at = now() WHERE app_id = $1', [appId]);
    expect(await forecast()).toBeNull();
  });

  async function sent(seqs: readonly number[], daysAgo = 0): Promise<number> {
    const { id } = await buildAccepted(api.database, appId, seqs);
    await api.database.query(
      `UPDATE blocks SET slots_at = now() - make_interval(days => $2),
         accepted_at = ARRAY[now() - make_interval(days => $2)], earlier_accepted = '{}'
       WHERE delivery_id = $1`,
      [id, daysAgo],
    );
    return id;
  }
});
