// tier: postgres
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { secretHashOf } from '../../../api/public/browser-name.ts';
import { noteLost } from '../../../api/public/losses/store.ts';
import { countSiteTime, MOST_SECONDS } from '../../../api/public/site-time/store.ts';
import { createSite, type Site } from '../../support/site.ts';
import { callAs, createMember, openTestApi } from '../support.ts';

describe('what browsers say about their readers’ permission and time on the site', async () => {
  let site: Site;
  let call: ReturnType<typeof callAs>;
  const api = await openTestApi();
  beforeEach(async () => {
    site = await createSite(api.app, api.database);
    const [owner] = await api.database.query<{ id: number }>(
      'SELECT organization_id AS id FROM apps WHERE id = $1',
      [site.appId],
    );
    call = callAs(api.app, await createMember(api.database, { organizationId: owner?.id ?? 0 }));
  });

  const standing = async () => {
    await api.database.query('DELETE FROM analytics_cache');
    return (await call('GET', `/apps/${site.identifier}/standing/readers`)).json().data;
  };
  const permissions = async () => (await standing()).permissions;
  const newReader = () => site.subscribeBody({ browserSecret: randomBytes(32).toString('base64url') });
  type Reader = ReturnType<typeof newReader> & { browserSecret?: string };
  const subscribe = async (body: object) => expect((await site.post('subscribe', body)).statusCode).toBe(200);
  const lose = async ({ userId, browserSecret }: Reader, more: object = { revoked: true }) => {
    const body = { userId, browserSecret, subscription: null, ...more };
    expect((await site.post('update_subscription', body)).statusCode).toBe(200);
  };
  const days = async (by: number) =>
    api.database.query(
      `UPDATE subscriptions SET revoked_at = revoked_at - make_interval(days => $2) WHERE app_id = $1`,
      [site.appId, by],
    );

  it('count a permission that the browser took away, and the reader who is won back, once each', async () => {
    expect(await permissions()).toEqual({ days: 90, revoked: 0, won_back: 0, percent: null });
    const [one, other] = [newReader(), newReader()];
    await subscribe(one);
    await subscribe(other);
    await Promise.all([lose(one), lose(one), lose(other)]);
    await lose(one);
    expect(await permissions()).toEqual({ days: 90, revoked: 2, won_back: 0, percent: 0 });
    await Promise.all([subscribe(one), subscribe(one)]);
    await subscribe(one);
    expect(await permissions()).toEqual({ days: 90, revoked: 2, won_back: 1, percent: 50 });
    // Of the day of the loss, and again only after a month.
    await lose(one);
    await subscribe(one);
    expect(await permissions()).toEqual({ days: 90, revoked: 2, won_back: 1, percent: 50 });
    await days(31);
    await lose(one);
    await subscribe(one);
    expect(await permissions()).toEqual({ days: 90, revoked: 3, won_back: 2, percent: 66.67 });
  });

  it('count a reader whom the push service had reported as gone before the visit', async () => {
    const reader = newReader();
    await subscribe(reader);
    await api.database.query(
      `UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = now() WHERE app_id = $1`,
      [site.appId],
    );
    await lose(reader);
    await subscribe(reader);
    expect(await permissions()).toMatchObject({ revoked: 1, won_back: 1 });
  });

  it('count no reader who left, nobody without a secret or with another’s, and no new browser', async () => {
    const reader = newReader();
    await subscribe(reader);
    await lose(reader, {});
    await subscribe(reader);
    await lose(newReader());
    const free = site.subscribeBody({});
    await subscribe(free);
    await lose(free as Reader);
    await subscribe(newReader());
    expect(await permissions()).toEqual({ days: 90, revoked: 0, won_back: 0, percent: null });
  });

  it('count no loss of one app for another', async () => {
    const other = await createSite(api.app, api.database);
    const reader = newReader();
    await subscribe(reader);
    await noteLost(api.database, other.appId, [0]);
    expect(await permissions()).toMatchObject({ revoked: 0 });
  });

  const seconds = async (): Promise<number> =>
    Number(
      (
        await api.database.query<{ seconds: number }>(
          'SELECT coalesce(sum(seconds), 0) AS seconds FROM site_time_days WHERE app_id = $1',
          [site.appId],
        )
      )[0]?.seconds,
    );
  const report = ({ browserSecret }: Reader, given: number) =>
    countSiteTime(api.database, [
      { appId: site.appId, secretHash: secretHashOf(browserSecret) as Buffer, seconds: given },
    ]);
  const passed = (hours: number) =>
    api.database.query(
      `UPDATE subscriptions SET created_at = created_at - make_interval(hours => $2),
         site_time_at = site_time_at - make_interval(hours => $2) WHERE app_id = $1`,
      [site.appId, hours],
    );

  it('add up seconds on the site, no longer than a browser can have been there', async () => {
    const reader = newReader();
    await subscribe(reader);
    await report(reader, 3_000);
    expect(await seconds()).toBeLessThan(60);
    await passed(1);
    const before = await seconds();
    await report(reader, 300);
    expect((await seconds()) - before).toBe(300);
    // At once again, at the same time from several processes, and an invented number.
    await Promise.all([report(reader, 300), report(reader, 300), report(reader, 2_147_483_647)]);
    expect(await seconds()).toBeLessThan(before + 360);
    await passed(20);
    const then = await seconds();
    await report(reader, 2_147_483_647);
    expect((await seconds()) - then).toBe(MOST_SECONDS);
    // Of nobody, or of one who has left.
    await report(newReader(), 300);
    await lose(reader, {});
    await passed(20);
    await report(reader, 300);
    expect((await seconds()) - then).toBe(MOST_SECONDS);
  });

  it('come with a subscribe, and are shown by week beside pushes and prompts', async () => {
    const reader = newReader();
    await subscribe(reader);
    await passed(2);
    await subscribe({ ...reader, secondsOnSite: 3_600 });
    await expect.poll(seconds, { timeout: 120_000 }).toBe(3_600);
    const { site_weeks: weeks } = await standing();
    expect(weeks).toHaveLength(8);
    expect(weeks[0]).toMatchObject({ hours: 1, pushes: 0, prompts: 0, pushes_per_hour: 0 });
    expect(weeks[1]).toMatchObject({ hours: 0, pushes_per_hour: null, prompts_per_hour: null });
    const wrong = await site.post('subscribe', { ...reader, secondsOnSite: -1 });
    expect(wrong.statusCode).toBeGreaterThanOrEqual(400);
  });
});
