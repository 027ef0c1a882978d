// tier: postgres
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { appBody, callAs, createMember, type Member, openTestApi } from '../api/support.ts';
import { appIdOf, type GivenSubscription, insertSubscriptions, setSent } from '../support/subscriptions.ts';

let member: Member;
let call: ReturnType<typeof callAs>;
let list: string;
const api = await openTestApi();
beforeEach(async () => {
  member = await createMember(api.database);
  call = callAs(api.app, member);
  const created = await call('POST', '/apps', appBody());
  list = `/apps/${created.json().data.identifier}/subscriptions`;
});

const appId = () => appIdOf(api.database, list.split('/')[2] ?? '');
const insert = async (...given: GivenSubscription[]) =>
  insertSubscriptions(api.database, await appId(), given);

/** The ids in the order given, as the list answers them. */
async function found(query: string): Promise<number[]> {
  const answer = await call('GET', `${list}?${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data.map(({ id }: { id: number }) => id);
}

async function refused(query: string, field: string): Promise<void> {
  const answer = await call('GET', `${list}?${query}`);
  expect([answer.statusCode, Object.keys(answer.json().errors ?? {})]).toEqual([422, [field]]);
}

const fields = [
  ...[
    'id',
    'user_identity',
    'status',
    'device_type',
    'browser_name',
    'browser_version',
    'os_name',
    'os_version',
  ],
  ...['country', 'notifications_sent', 'notifications_clicked', 'click_rate', 'tags', 'created_at'],
  ...['last_seen_at', 'last_clicked_at', 'unsubscribed_at'],
];

describe('Subscription', () => {
  it('has the fields of the table, and the time zone, language, preferences and pruning', async () => {
    const [one] = await insert({});
    const answer = await call('GET', `${list}/${one?.id}`);
    expect(Object.keys(answer.json().data).sort()).toEqual(
      [...fields, 'time_zone', 'language', 'preferences', 'pruned'].sort(),
    );
  });

  it('notifications_sent, notifications_clicked | integer; click_rate | number | percent', async () => {
    const [one] = await insert({});
    await setSent(api.database, await appId(), new Map([[one?.seq ?? 0, 8]]));
    api.analytics.clickedBy.set(one?.seq ?? 0, 3);
    const { data } = (await call('GET', `${list}/${one?.id}`)).json();
    api.analytics.clickedBy.clear();
    expect([data.notifications_sent, data.notifications_clicked, data.click_rate]).toEqual([8, 3, 37.5]);
  });

  it('unsubscribed_at | timestamp or null | null while subscribed', async () => {
    const [here, gone] = await insert({}, { status: 'unsubscribed' });
    const times = [here, gone].map(
      async (one) => (await call('GET', `${list}/${one?.id}`)).json().data.unsubscribed_at,
    );
    expect(await Promise.all(times)).toEqual([
      null,
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    ]);
  });
});

describe('Subscriptions', () => {
  it('GET /apps/{identifier}/subscriptions | subscriptions:read | 200, paginated Subscription collection', async () => {
    const all = await insert({}, {}, {});
    const { data, links, meta } = (await call('GET', `${list}?per_page=2`)).json();
    expect(data.map(({ id }: { id: number }) => id)).toEqual([all[2]?.id, all[1]?.id]);
    expect([meta.total, meta.last_page, links.prev, links.next]).toEqual([
      3,
      2,
      null,
      expect.stringContaining('page=2'),
    ]);
  });

  it('GET /apps/{identifier}/subscriptions/{subscription_id} | subscriptions:read', async () => {
    const [one] = await insert({ user_identity: 'anna' });
    const answer = await call('GET', `${list}/${one?.id}`);
    expect([answer.statusCode, answer.json().data.user_identity]).toEqual([200, 'anna']);
    for (const id of ['999999', '0', 'anna'])
      expect((await call('GET', `${list}/${id}`)).statusCode).toBe(404);
  });

  it('DELETE /apps/{identifier}/subscriptions/{subscription_id} | subscriptions:write | 204, no body', async () => {
    const [one] = await insert({});
    const answer = await call('DELETE', `${list}/${one?.id}`);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect((await call('GET', `${list}/${one?.id}`)).statusCode).toBe(404);
    expect((await call('DELETE', `${list}/${one?.id}`)).statusCode).toBe(404);
  });

  it('POST /apps/{identifier}/subscriptions/{subscription_id}/tags | subscriptions:write | the updated Subscription', async () => {
    const [one] = await insert({});
    const answer = await call('POST', `${list}/${one?.id}/tags`, { tags: { plan: 'premium' } });
    expect([answer.statusCode, answer.json().data.tags]).toEqual([200, { plan: 'premium' }]);
  });
});

describe('List query parameters', () => {
  it('search | string | free-text search', async () => {
    const [anna, other] = await insert({ user_identity: 'Anna-1' }, { external_ids: { crm_id: 'c-77%' } });
    expect(await found('search=anna')).toEqual([anna?.id]);
    expect(await found('search=7%25')).toEqual([other?.id]);
    expect(await found(`search=${other?.id}`)).toEqual([other?.id]);
    expect(await found('search=crm_id')).toEqual([]);
  });

  it('status | string | `subscribed` or `unsubscribed`', async () => {
    const [here, gone] = await insert({}, { status: 'unsubscribed' });
    expect([await found('status=subscribed'), await found('status=unsubscribed')]).toEqual([
      [here?.id],
      [gone?.id],
    ]);
    await refused('status=gone', 'status');
  });

  it('device_type | string', async () => {
    const [phone] = await insert({ device_type: 'mobile' }, { device_type: 'desktop' });
    expect(await found('device_type=mobile')).toEqual([phone?.id]);
  });

  it('browser | string | <= 255 chars', async () => {
    const [chrome] = await insert({ browser_name: 'Chrome' }, { browser_name: 'Firefox' });
    expect(await found('browser=chrome')).toEqual([chrome?.id]);
    expect(await found(`browser=${'x'.repeat(255)}`)).toEqual([]);
    await refused(`browser=${'x'.repeat(256)}`, 'browser');
  });

  it('country | string | 2-letter ISO code', async () => {
    const [de] = await insert({ country: 'DE' }, { country: 'US' });
    expect(await found('country=DE')).toEqual([de?.id]);
    await refused('country=DEU', 'country');
    await refused('country=4!', 'country');
  });

  it('tag | array | form `tag[<key>]=<value>`; matches subscriptions whose tag <key> equals <value>', async () => {
    const [both] = await insert(
      { tags: { plan: 'premium', city: 'Hamburg' } },
      { tags: { plan: 'free', city: 'Hamburg' } },
      { tags: { city: 'premium' } },
    );
    expect(await found('tag[plan]=premium')).toEqual([both?.id]);
    expect(await found('tag[city]=Hamburg&tag[plan]=premium')).toEqual([both?.id]);
    expect(await found('tag%5Bplan%5D=premium')).toEqual([both?.id]);
    expect(await found('tag[plan]=premium&tag[plan]=free')).toEqual([]);
    await refused('tag=plan', 'tag');
  });

  it('created_after | date', async () => {
    const [, late] = await insert(
      { created_at: '2026-01-30T23:59:59Z' },
      { created_at: '2026-01-31T00:00:00Z' },
    );
    expect(await found('created_after=2026-01-31')).toEqual([late?.id]);
    await refused('created_after=soon', 'created_after');
  });

  it('created_before | date', async () => {
    const [early] = await insert(
      { created_at: '2026-01-31T23:59:59Z' },
      { created_at: '2026-02-01T00:00:00Z' },
    );
    expect(await found('created_before=2026-01-31')).toEqual([early?.id]);
    await refused('created_before=2026-02-30', 'created_before');
  });

  it('sort | string | `created_at`, `last_seen_at`, `last_clicked_at`, `notifications_sent`', async () => {
    const [a, b, c] = await insert(
      { created_at: '2026-01-03T00:00:00Z', last_seen_at: '2026-01-04T00:00:00Z', last_clicked_at: null },
      {
        created_at: '2026-01-01T00:00:00Z',
        last_seen_at: '2026-01-06T00:00:00Z',
        last_clicked_at: '2026-01-02T00:00:00Z',
      },
      {
        created_at: '2026-01-02T00:00:00Z',
        last_seen_at: '2026-01-05T00:00:00Z',
        last_clicked_at: '2026-01-03T00:00:00Z',
      },
    );
    await setSent(
      api.database,
      await appId(),
      new Map([
        [a?.seq ?? 0, 5],
        [c?.seq ?? 0, 9],
      ]),
    );
    const ids = (...order: (typeof a)[]) => order.map((one) => one?.id);
    expect(await found('')).toEqual(ids(a, c, b));
    expect(await found('sort=created_at')).toEqual(ids(a, c, b));
    expect(await found('sort=last_seen_at')).toEqual(ids(b, c, a));
    expect(await found('sort=last_clicked_at')).toEqual(ids(c, b, a));
    expect(await found('sort=notifications_sent')).toEqual(ids(c, a, b));
    await refused('sort=country', 'sort');
  });

  it('direction | string | `asc` or `desc`; default `desc`', async () => {
    const [first, second] = await insert(
      { created_at: '2026-01-01T00:00:00Z' },
      { created_at: '2026-01-02T00:00:00Z' },
    );
    expect(await found('direction=asc')).toEqual([first?.id, second?.id]);
    expect(await found('direction=desc')).toEqual(await found(''));
    await refused('direction=up', 'direction');
  });

  it('per_page | integer | 1-100', async () => {
    await insert({}, {});
    expect(await found('per_page=1')).toHaveLength(1);
    await refused('per_page=0', 'per_page');
    await refused('per_page=101', 'per_page');
  });

  it('page | integer', async () => {
    const [first] = await insert({}, {});
    expect(await found('per_page=1&page=2')).toEqual([first?.id]);
    await refused('page=x', 'page');
  });
});

describe('Tags body', () => {
  const tag = (id: number | undefined, tags: unknown) => call('POST', `${list}/${id}/tags`, { tags });

  it('at most 50 keys', async () => {
    const [one] = await insert({});
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
    expect((await tag(one?.id, keys(50))).statusCode).toBe(200);
    expect((await tag(one?.id, keys(51))).json().errors).toHaveProperty('tags');
  });

  it('each value is a string of <= 255 chars', async () => {
    const [one] = await insert({});
    expect((await tag(one?.id, { a: 'x'.repeat(255) })).statusCode).toBe(200);
    for (const value of ['x'.repeat(256), 7, null, { b: 'c' }]) {
      expect((await tag(one?.id, { a: value })).json().errors).toHaveProperty(['tags.a']);
    }
  });

  it('semantics are upsert: listed keys are overwritten or added, unlisted tags stay', async () => {
    const [one] = await insert({ tags: { plan: 'free', city: 'Hamburg' } });
    const answer = await tag(one?.id, { plan: 'premium', team: 'blue' });
    expect(answer.json().data.tags).toEqual({ plan: 'premium', city: 'Hamburg', team: 'blue' });
    expect(await found('tag[plan]=free')).toEqual([]);
    expect(await found('tag[plan]=premium&tag[city]=Hamburg&tag[team]=blue')).toEqual([one?.id]);
  });

  it('an addition to the specification: DELETE …/tags/{key} removes one tag', async () => {
    const [one] = await insert({ tags: { 'plan/2': 'free', city: 'Hamburg' } });
    const path = `${list}/${one?.id}/tags/${encodeURIComponent('plan/2')}`;
    const answer = await call('DELETE', path);
    expect([answer.statusCode, answer.json().data?.tags]).toEqual([200, { city: 'Hamburg' }]);
    expect((await call('DELETE', path)).statusCode).toBe(404);
    expect(await found('tag[plan/2]=free')).toEqual([]);
  });
});

describe('keys of tags', () => {
  const tag = async (tags: object) => {
    const [one] = await insert({});
    return call('POST', `${list}/${one?.id}/tags`, { tags });
  };

  it.each<[what: string, key: string, status: number]>([
    ['of 255 characters are taken', 'é'.repeat(255), 200],
    ['of 256 are refused', 'k'.repeat(256), 422],
    ['of 2,700 random ones are refused', randomBytes(1_350).toString('hex'), 422],
    ['that are empty are refused', '', 422],
  ])('%s', async (_what, key, status) => {
    const answer = await tag({ [key]: 'v' });
    expect(answer.statusCode, answer.body).toBe(status);
    if (status === 422) expect(answer.json().errors).toHaveProperty('tags');
  });

  it('of several lines have values that are checked, too', async () => {
    const tags = { 'a\nb': 'v'.repeat(256) };
    expect((await tag(tags)).statusCode).toBe(422);
  });

  it('fifty of 255 emoji with such values are taken', async () => {
    const tags = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`${n + 10}${'😀'.repeat(253)}`, '😀'.repeat(255)]),
    );
    const answer = await tag(tags);
    expect(answer.statusCode, answer.body).toBe(200);
  });

  it('are bounded in filters', async () => {
    expect((await call('GET', `${list}?tag[${'k'.repeat(256)}]=v`)).statusCode).toBe(422);
  });
});

it('no schema of the tree bounds keys in a way that is lost', async () => {
  const files: string[] = [];
  for await (const file of glob('{api,engine,reporting}/**/*.ts')) files.push(file);
  expect(files.length).toBeGreaterThan(300);
  const lost = files.filter((file) =>
    /Type\.Record\(\s*Type\.String\(\{\s*m/.test(readFileSync(file, 'utf8')),
  );
  expect(lost).toEqual([]);
});
