// tier: postgres

import { describe, expect, it } from 'vitest';
import { buildSubscriptions } from '../../../support/builders.ts';
import { appIdOf } from '../../../support/subscriptions.ts';
import { appBody, openWithMember } from '../../support.ts';

const SUBSCRIBERS = 1_200;

describe('the preview of a segment', async () => {
  const { api, call } = await openWithMember();
  const app = (await call('POST', '/apps', appBody())).json().data.identifier;
  const appId = await appIdOf(api.database, app);
  await buildSubscriptions(api.database, appId, SUBSCRIBERS);
  await buildSubscriptions(api.database, appId, 100);
  const categoryId = (await call('POST', `/apps/${app}/delivery-categories`, { name: 'Sport' })).json().data
    .id;
  await api.database.query(
    `UPDATE subscriptions SET status = CASE WHEN seq < $1 THEN 'subscribed' ELSE 'unsubscribed' END,
         tags = jsonb_build_object('third', (seq % 3)::text),
         category_ids = CASE seq % 4 WHEN 0 THEN ARRAY[$2::integer] WHEN 1 THEN ARRAY[]::integer[] END`,
    [SUBSCRIBERS, categoryId],
  );
  await api.database.query('UPDATE apps SET active_subscriber_count = $1 WHERE identifier = $2', [
    SUBSCRIBERS,
    app,
  ]);
  // Another app's subscriptions that match as well.
  const other = (await call('POST', '/apps', appBody())).json().data.identifier;
  const foreignId = await appIdOf(api.database, other);
  await buildSubscriptions(api.database, foreignId, 50);
  await api.database.query(`UPDATE subscriptions SET tags = '{"third": "0"}' WHERE app_id = $1`, [foreignId]);

  const third = {
    match: 'all',
    conditions: [{ field: 'tag', key: 'third', operator: 'equals', value: '0' }],
  };
  const count = async (body: object): Promise<number> => {
    const answer = await call('POST', `/apps/${app}/segments/preview`, body);
    expect(answer.statusCode).toBe(200);
    return answer.json().data.count;
  };

  it('counts the subscribed subscriptions of the app that the rules match', async () => {
    expect(await count({ rules: third })).toBe(SUBSCRIBERS / 3);
    expect(await count({})).toBe(SUBSCRIBERS);
    expect(await count({ rules: null })).toBe(SUBSCRIBERS);
  });

  it('with a delivery category counts its receivers, and how many of them chose it', async () => {
    const counted = async (body: object) =>
      (await call('POST', `/apps/${app}/segments/preview`, body)).json().data;
    expect(await counted({ delivery_category_id: categoryId })).toEqual({
      count: (SUBSCRIBERS * 3) / 4,
      chose_category: SUBSCRIBERS / 4,
    });
    expect(await counted({ rules: third, delivery_category_id: categoryId })).toEqual({
      count: SUBSCRIBERS / 4,
      chose_category: SUBSCRIBERS / 12,
    });
    expect(await counted({ rules: third })).toEqual({ count: SUBSCRIBERS / 3, chose_category: null });
  });

  it('answers 422 for invalid rules, and for an unknown category', async () => {
    const refused = await call('POST', `/apps/${app}/segments/preview`, {
      rules: { match: 'all', conditions: [{ field: 'tag', operator: 'exists' }] },
    });
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([
      422,
      ['rules.conditions.0.key'],
    ]);
    const missing = await call('POST', `/apps/${app}/segments/preview`, { delivery_category_id: 999_999 });
    expect([missing.statusCode, Object.keys(missing.json().errors)]).toEqual([422, ['delivery_category_id']]);
  });

  it('cancels a count that takes too long with 503, and releases its connection as it was', async () => {
    const holder = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const locking = api.database.transaction(async (sql) => {
      await sql.query('LOCK TABLE subscriptions IN ACCESS EXCLUSIVE MODE');
      locked.resolve();
      await holder.promise;
    });
    await locked.promise;
    const answer = await call('POST', `/apps/${app}/segments/preview`, { rules: third });
    holder.resolve();
    await locking;
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '30']);
    expect(answer.json().message).toMatch(/longer than the 5 seconds .* Narrow it/);
    expect(await count({ rules: third })).toBe(SUBSCRIBERS / 3);
    const timeouts = await Promise.all(
      Array.from({ length: 10 }, () =>
        api.database.query<{ timeout: string }>(`SELECT current_setting('statement_timeout') AS timeout`),
      ),
    );
    expect(new Set(timeouts.flat().map(({ timeout }) => timeout))).toEqual(new Set(['30s']));
  });
});
