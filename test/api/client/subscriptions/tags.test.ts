// tier: postgres

import { describe, expect, it } from 'vitest';
import { buildSubscriptions } from '../../../support/builders.ts';
import { appIdOf } from '../../../support/subscriptions.ts';
import { appBody, openWithMember } from '../../support.ts';

const SUBSCRIBERS = 3_000;

const { api, call } = await openWithMember();
const identifier = (await call('POST', '/apps', appBody())).json().data.identifier;
const appId = await appIdOf(api.database, identifier);
await buildSubscriptions(api.database, appId, SUBSCRIBERS);
// Half, a third, all, and one in a thousand.
await api.database.query(
  `UPDATE subscriptions SET tags = jsonb_build_object('even', (seq % 2 = 0)::text, 'third', (seq % 3 = 0)::text, 'all', 'yes')
       || CASE WHEN seq % 1000 = 6 THEN '{"rare": "yes"}'::jsonb ELSE '{}' END,
       last_seen_at = now() - make_interval(mins => seq * 7919 % 3001)
     WHERE app_id = $1`,
  [appId],
);
const list = async (
  query: string,
): Promise<{ status: number; total: number; ids: number[]; errors: unknown }> => {
  const answer = await call('GET', `/apps/${identifier}/subscriptions?per_page=10&${encodeURI(query)}`);
  const body = answer.json();
  const ids = (body.data ?? []).map(({ id }: { id: number }) => id);
  return { status: answer.statusCode, total: body.meta?.total, ids, errors: body.errors };
};

const sorts = ['created_at', 'last_seen_at', 'last_clicked_at', 'notifications_sent'];

describe('a list by several tags', () => {
  const frequent = 'tag[even]=true&tag[third]=true&tag[all]=yes';
  const rare = `${frequent}&tag[rare]=yes`;

  it('counts subscribers with all of them, frequent and rare, in any order', async () => {
    expect((await list(frequent)).total).toBe(SUBSCRIBERS / 6);
    expect((await list(rare)).total).toBe(1);
    expect((await list('tag[rare]=yes&tag[even]=true')).total).toBe(3);
    expect((await list('tag[even]=true&tag[even]=false')).total).toBe(0);
    expect((await list('tag[even]=true&tag[all]=no')).total).toBe(0);
  });

  it.each(sorts)('by %s has the same rows from both ends', async (sort) => {
    const total = SUBSCRIBERS / 6;
    const pages = total / 10;
    for (const [page, mirrored] of [
      [1, pages],
      [pages / 2, pages / 2 + 1],
      [pages, 1],
    ]) {
      const down = await list(`${frequent}&sort=${sort}&direction=desc&page=${page}`);
      const up = await list(`${frequent}&sort=${sort}&direction=asc&page=${mirrored}`);
      expect([down.total, down.ids.length]).toEqual([total, 10]);
      expect(up.ids.toReversed()).toEqual(down.ids);
    }
  });

  it('finds the same with and without statistics', async () => {
    const before = await list(`${frequent}&sort=last_seen_at&page=7`);
    await api.database.query('ANALYZE');
    expect(await list(`${frequent}&sort=last_seen_at&page=7`)).toEqual(before);
  });

  it('takes five tags and refuses a sixth, whether of another key or of the same', async () => {
    const five = [1, 2, 3, 4, 5].map((n) => `tag[k${n}]=v`).join('&');
    expect((await list(five)).status).toBe(200);
    for (const sixth of ['tag[k6]=v', 'tag[k1]=w']) {
      const { status, errors } = await list(`${five}&${sixth}`);
      expect([status, Object.keys(errors as object)]).toEqual([422, ['tag']]);
    }
  });
});
