// tier: postgres
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { appIdOf, insertSubscriptions } from '../../../support/subscriptions.ts';
import { appBody, callAs, createMember, type Member, openTestApi } from '../../support.ts';

let member: Member;
let call: ReturnType<typeof callAs>;
let identifier: string;
let list: string;
let appId: AppId;
const api = await openTestApi();
beforeEach(async () => {
  member = await createMember(api.database);
  call = callAs(api.app, member);
  identifier = (await call('POST', '/apps', appBody())).json().data.identifier;
  list = `/apps/${identifier}/subscriptions`;
  appId = await appIdOf(api.database, identifier);
});

const insertOne = async (given: Parameters<typeof insertSubscriptions>[2][number] = {}) => {
  const [one] = await insertSubscriptions(api.database, appId, [given]);
  if (one === undefined) throw new Error('nothing was inserted');
  return one;
};
const counts = async (): Promise<[number, number]> => {
  const { data } = (await call('GET', `/apps/${identifier}`)).json();
  return [data.subscriber_count, data.active_subscriber_count];
};
const notes = () =>
  api.database.query<{ action: string; subject_id: string; detail: object; user_id: number }>(
    `SELECT action, subject_id, detail, user_id FROM audit_log WHERE app_id = $1 AND action LIKE 'subscription.%' ORDER BY id`,
    [appId],
  );

describe('deleting a subscription', () => {
  it('keeps the app’s counts, removes all that lists know of it, and is noted', async () => {
    const gone = await insertOne({ status: 'unsubscribed', tags: { a: 'b' } });
    const here = await insertOne({ tags: { a: 'b' } });
    expect(await counts()).toEqual([2, 1]);
    await call('DELETE', `${list}/${gone.id}`);
    expect(await counts()).toEqual([1, 1]);
    await call('DELETE', `${list}/${here.id}`);
    expect(await counts()).toEqual([0, 0]);
    for (const table of ['subscription_facets', 'subscription_activity', 'subscription_tags']) {
      expect(await api.database.query(`SELECT 1 FROM ${table} WHERE app_id = $1`, [appId])).toEqual([]);
    }
    expect(await notes()).toEqual(
      [gone, here].map(({ id }) => ({
        action: 'subscription.deleted',
        subject_id: String(id),
        detail: {},
        user_id: member.userId,
      })),
    );
  });

  it('counts it once when two delete it at the same time', async () => {
    const one = await insertOne();
    await insertOne();
    const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', `${list}/${one.id}`)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 404, 404]);
    expect(await counts()).toEqual([1, 1]);
    expect(await notes()).toHaveLength(1);
  });

  it('leaves it to be forgotten where statistics name it', async () => {
    const one = await insertOne();
    await call('DELETE', `${list}/${one.id}`);
    const rows = await api.database.query(`SELECT seq FROM forgotten_subscriptions WHERE app_id = $1`, [
      appId,
    ]);
    expect(rows).toEqual([{ seq: one.seq }]);
  });
});

describe('tags', () => {
  it('are at most 200 in all; a write past that changes nothing', async () => {
    const one = await insertOne({
      tags: Object.fromEntries(Array.from({ length: 199 }, (_, n) => [`k${n}`, ''])),
    });
    const path = `${list}/${one.id}/tags`;
    expect((await call('POST', path, { tags: { x: '1', y: '2' } })).statusCode).toBe(422);
    expect((await call('GET', `${list}/${one.id}`)).json().data.tags).not.toHaveProperty('x');
    expect((await call('POST', path, { tags: { x: '1', k0: '2' } })).statusCode).toBe(200);
  });

  it('that are written at the same time are all kept', async () => {
    const one = await insertOne();
    const keys = ['a', 'b', 'c', 'd'];
    await Promise.all(keys.map((key) => call('POST', `${list}/${one.id}/tags`, { tags: { [key]: key } })));
    const { data } = (await call('GET', `${list}/${one.id}`)).json();
    expect(data.tags).toEqual(Object.fromEntries(keys.map((key) => [key, key])));
  });

  it('are noted by their keys, never by their values', async () => {
    const one = await insertOne();
    await call('POST', `${list}/${one.id}/tags`, { tags: { plan: 'secret-value' } });
    await call('DELETE', `${list}/${one.id}/tags/plan`);
    expect((await notes()).map(({ action, detail }) => [action, detail])).toEqual([
      ['subscription.tagged', { added: ['plan'] }],
      ['subscription.tagged', { removed: ['plan'] }],
    ]);
  });

  it('with characters that mean something elsewhere are found by exactly their text', async () => {
    const tags = { "o'clock": '5 & 6', 'a[b]': 'c=d', __proto__x: '"' };
    const one = await insertOne({ tags });
    for (const [key, value] of Object.entries(tags)) {
      const query = new URLSearchParams({ [`tag[${key}]`]: value });
      const { data } = (await call('GET', `${list}?${query}`)).json();
      expect(data.map(({ id }: { id: number }) => id)).toEqual([one.id]);
    }
  });
});

describe('lists follow what changes in any way', () => {
  const found = async (query: string): Promise<number[]> =>
    (await call('GET', `${list}?${query}`)).json().data.map(({ id }: { id: number }) => id);

  it('be it by a statement that knows nothing of lists', async () => {
    const one = await insertOne({ device_type: 'mobile', user_identity: 'anna', tags: { a: 'b' } });
    const two = await insertOne({
      device_type: 'mobile',
      user_identity: 'bert',
      last_seen_at: '2024-01-01T00:00:00Z',
    });
    await api.database.query(
      `UPDATE subscriptions SET status = 'unsubscribed', device_type = 'desktop', country = 'PL', browser_name = 'Edge',
         user_identity = 'carl', external_ids = '{"x": "Dora"}', tags = '{"a": "c"}', created_at = '2020-01-01',
         last_seen_at = '2023-01-01', last_clicked_at = now() WHERE app_id = $1 AND seq = $2`,
      [appId, one.seq],
    );
    await api.database.query(`UPDATE apps SET active_subscriber_count = 1 WHERE id = $1`, [appId]);
    const now = [
      'status=unsubscribed',
      'device_type=desktop',
      'country=PL',
      'browser=edge',
      'search=carl',
      'search=dora',
    ];
    for (const query of [...now, 'tag[a]=c', 'created_before=2020-01-01'])
      expect([query, await found(query)]).toEqual([query, [one.id]]);
    for (const query of ['search=anna', 'tag[a]=b']) expect(await found(query)).toEqual([]);
    expect(await found('sort=last_seen_at')).toEqual([two.id, one.id]);
    expect(await found('sort=last_clicked_at')).toEqual([one.id, two.id]);
    expect(await found('')).toEqual([two.id, one.id]);
  });
});

describe('other people’s subscriptions', () => {
  it('answer like ones that do not exist', async () => {
    const one = await insertOne({ user_identity: 'anna' });
    const stranger = callAs(api.app, await createMember(api.database));
    const own: string = (await stranger('POST', '/apps', appBody())).json().data.identifier;
    const missing = await stranger('GET', `/apps/${own}/subscriptions/999999`);
    const paths = [`${list}/${one.id}`, `/apps/${own}/subscriptions/${one.id}`];
    for (const path of paths) {
      const answers = [
        await stranger('GET', path),
        await stranger('DELETE', path),
        await stranger('POST', `${path}/tags`, { tags: { a: 'b' } }),
        await stranger('DELETE', `${path}/tags/a`),
      ];
      for (const answer of answers) expect([answer.statusCode, answer.body]).toEqual([404, missing.body]);
    }
    expect((await stranger('GET', list)).statusCode).toBe(404);
    expect((await stranger('GET', `/apps/${own}/subscriptions?search=${one.id}`)).json().meta.total).toBe(0);
    expect((await call('GET', `${list}/${one.id}`)).json().data.tags).toEqual({});
  });
});

describe('while ClickHouse is unavailable', () => {
  it('subscriptions are answered, with no clicks', async () => {
    const one = await insertOne();
    api.analytics.away = true;
    const answers = [await call('GET', list), await call('GET', `${list}/${one.id}`)];
    api.analytics.away = false;
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(answers[1]?.json().data.notifications_clicked).toBe(0);
  });
});
