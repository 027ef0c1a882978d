// tier: postgres
import { Compile } from 'typebox/compile';
import { beforeEach, describe, expect, it } from 'vitest';
import { segmentSchema } from '../../../../api/client/segments/schema.ts';
import { buildDelivery } from '../../../support/builders.ts';
import { appIdOf, insertSubscriptions } from '../../../support/subscriptions.ts';
import { appBody, callAs, createMember, openWithMember } from '../../support.ts';

const gold = { field: 'tag', key: 'plan', operator: 'equals', value: 'gold' };
const rulesOf = (...conditions: unknown[]) => ({ match: 'all', conditions });
const body = (changes: object = {}) => ({ name: 'Gold', rules: rulesOf(gold), ...changes });

describe('segments', async () => {
  let app: string;
  const { api, member, call } = await openWithMember();
  beforeEach(async () => {
    app = (await call('POST', '/apps', appBody())).json().data.identifier;
  });

  const create = async (given: object = body()): Promise<{ id: number; updated_at: string }> => {
    const answer = await call('POST', `/apps/${app}/segments`, given);
    expect(answer.statusCode).toBe(201);
    return answer.json().data;
  };
  const path = (id: number | string) => `/apps/${app}/segments/${id}`;

  it('are created, shown, listed newest first, and keep their rules as they were given', async () => {
    const rules = {
      match: 'any',
      conditions: [
        gold,
        { field: 'country', operator: 'not_in', values: ['PL', 'de'] },
        rulesOf({ field: 'last_clicked', operator: 'never' }, rulesOf(gold)),
        { field: 'created', operator: 'after', date: '2026-01-31' },
        { field: 'last_seen', operator: 'within_days', days: 30 },
      ],
    };
    const first = await create(body({ rules }));
    expect(first).toMatchObject({ name: 'Gold', rules });
    expect(Compile(segmentSchema).Check(first)).toBe(true);
    const second = await create(body({ name: 'Second' }));
    expect((await call('GET', path(first.id))).json()).toEqual({ data: first });
    const list = (await call('GET', `/apps/${app}/segments?per_page=1`)).json();
    expect(list.data).toEqual([second]);
    expect(list.meta).toMatchObject({ total: 2, last_page: 2 });
  });

  it('keep no null that a condition of another kind would have', async () => {
    expect(await create(body({ rules: rulesOf({ ...gold, values: null }, rulesOf(gold)) }))).toMatchObject({
      rules: { match: 'all', conditions: [gold, rulesOf(gold)] },
    });
    const [row] = await api.database.query<{ rules: object }>(
      'SELECT rules FROM segments ORDER BY id DESC LIMIT 1',
    );
    expect(row?.rules).toEqual({ match: 'all', conditions: [gold, rulesOf(gold)] });
  });

  it('are replaced by PUT, and PATCH keeps absent fields', async () => {
    const { id } = await create();
    const silver = rulesOf({ ...gold, value: 'silver' });
    const changed = async (method: 'PUT' | 'PATCH', changes: object) => {
      const answer = await call(method, path(id), changes);
      return [answer.statusCode, answer.json().data];
    };
    const whole = (name: string, rules: object) => [200, expect.objectContaining({ id, name, rules })];
    for (const method of ['PUT', 'PATCH'] as const) {
      expect(await changed(method, { name: method, rules: silver })).toEqual(whole(method, silver));
    }
    expect(await changed('PATCH', { name: 'Silver' })).toEqual(whole('Silver', silver));
    expect(await changed('PATCH', { rules: rulesOf(gold) })).toEqual(whole('Silver', rulesOf(gold)));
    const part = await call('PUT', path(id), { name: 'x' });
    expect([part.statusCode, Object.keys(part.json().errors)]).toEqual([422, ['rules']]);
    const wrong = await call('PATCH', path(id), { rules: { match: 'all', conditions: [] } });
    expect([wrong.statusCode, Object.keys(wrong.json().errors)]).toEqual([422, ['rules.conditions']]);
    expect((await call('GET', path(id))).json().data.name).toBe('Silver');
  });

  it('are gone once deleted', async () => {
    const { id } = await create();
    const answer = await call('DELETE', path(id));
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    for (const gone of [call('GET', path(id)), call('DELETE', path(id)), call('PUT', path(id), body())]) {
      expect((await gone).statusCode).toBe(404);
    }
    expect((await call('GET', `/apps/${app}/segments`)).json().data).toEqual([]);
  });

  it('answer the same 404 where they are missing, another app’s or another organization’s', async () => {
    const { id } = await create();
    const other = (await call('POST', '/apps', appBody())).json().data.identifier;
    const stranger = callAs(api.app, await createMember(api.database));
    const answers = await Promise.all([
      call('GET', path(999_999)),
      call('GET', path('x')),
      call('GET', path('99999999999')),
      call('GET', `/apps/${other}/segments/${id}`),
      call('PUT', `/apps/${other}/segments/${id}`, body()),
      call('DELETE', `/apps/${other}/segments/${id}`),
      stranger('GET', path(id)),
      stranger('PUT', path(id), body()),
      stranger('DELETE', path(id)),
      stranger('POST', `/apps/${app}/segments`, body()),
      stranger('POST', `/apps/${app}/segments/preview`, {}),
      stranger('GET', `/apps/${app}/segments`),
    ]);
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(404);
    expect((await call('GET', path(id))).statusCode).toBe(200);
  });

  it('need the abilities of subscriptions', async () => {
    const reader = await createMember(api.database, {
      abilities: ['subscriptions:read'],
      organizationId: member.organizationId,
    });
    const read = callAs(api.app, reader);
    expect((await read('GET', `/apps/${app}/segments`)).statusCode).toBe(200);
    expect((await read('POST', `/apps/${app}/segments/preview`, {})).statusCode).toBe(200);
    const refused = await read('POST', `/apps/${app}/segments`, body());
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'Token does not have the required ability: subscriptions:write',
    ]);
  });

  it('are logged with the author of the change', async () => {
    const { id } = await create();
    await call('PUT', path(id), body({ name: 'Renamed' }));
    await call('DELETE', path(id));
    const rows = await api.database.query(
      `SELECT action, user_id, via FROM audit_log WHERE subject_id = $1 AND action LIKE 'segment.%' ORDER BY id`,
      [String(id)],
    );
    const by = { user_id: member.userId, via: 'token' };
    expect(rows).toEqual([
      { action: 'segment.created', ...by },
      { action: 'segment.updated', ...by },
      { action: 'segment.deleted', ...by },
    ]);
  });

  it('select by time zone, by share, and by whom a delivery of the app reached', async () => {
    const id = await appIdOf(api.database, app);
    await insertSubscriptions(api.database, id, [{}, {}, {}, {}]);
    await api.database.query(
      `UPDATE subscriptions SET time_zone_id = (SELECT time_zones.id FROM time_zones WHERE name = 'Asia/Tokyo')
       WHERE app_id = $1 AND seq = 0`,
      [id],
    );
    await api.database.query(`UPDATE apps SET time_zone = 'Europe/Berlin' WHERE id = $1`, [id]);
    const delivery_id = await buildDelivery(api.database, id);
    const count = async (condition: object): Promise<number> => {
      const answer = await call('POST', `/apps/${app}/segments/preview`, { rules: rulesOf(condition) });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json().data.count;
    };
    const zone = { field: 'time_zone', operator: 'in' };
    expect(await count({ ...zone, values: ['Asia/Tokyo'] })).toBe(1);
    // Whose zone is not known is in the app's own.
    expect(await count({ ...zone, values: ['Europe/Berlin'] })).toBe(3);
    expect(await count({ ...zone, operator: 'not_in', values: ['UTC'] })).toBe(4);
    const half = { field: 'share', key: 'test', from: 0, below: 5_000 };
    const [inside, outside] = [
      await count({ ...half, operator: 'in' }),
      await count({ ...half, operator: 'not_in' }),
    ];
    expect(inside + outside).toBe(4);
    api.analytics.reached.set(`${delivery_id} clicked`, Uint8Array.of(0b1011));
    expect(await count({ field: 'delivery', operator: 'clicked', delivery_id })).toBe(3);
    expect(await count({ field: 'delivery', operator: 'not_clicked', delivery_id })).toBe(1);
    expect(await count({ field: 'delivery', operator: 'not_accepted', delivery_id })).toBe(4);
    const clicked = rulesOf({ field: 'delivery', operator: 'clicked', delivery_id });
    expect((await create(body({ rules: clicked }))).id).toBeGreaterThan(0);
    api.analytics.away = true;
    expect((await call('POST', `/apps/${app}/segments/preview`, { rules: clicked })).statusCode).toBe(503);
    api.analytics.away = false;
  });

  it('name at most ten reaches', async () => {
    const id = await appIdOf(api.database, app);
    const ids = await Promise.all(Array.from({ length: 11 }, () => buildDelivery(api.database, id)));
    // The same reach twice is one.
    const conditions = ids.flatMap((delivery_id) =>
      ['accepted', 'not_accepted'].map((operator) => ({ field: 'delivery', operator, delivery_id })),
    );
    expect((await create(body({ rules: rulesOf(...conditions.slice(0, 20)) }))).id).toBeGreaterThan(0);
    for (const route of ['segments', 'segments/preview']) {
      const refused = await call('POST', `/apps/${app}/${route}`, body({ rules: rulesOf(...conditions) }));
      expect([refused.statusCode, refused.json().errors]).toEqual([
        422,
        { rules: ['The rules field must not name whom deliveries reached in more than 10 ways.'] },
      ]);
    }
  });

  it('name only deliveries of the app', async () => {
    const other = (await call('POST', '/apps', appBody())).json().data.identifier;
    const foreign = await buildDelivery(api.database, await appIdOf(api.database, other));
    const rules = rulesOf({ field: 'delivery', operator: 'accepted', delivery_id: foreign });
    for (const route of ['segments', 'segments/preview']) {
      const refused = await call('POST', `/apps/${app}/${route}`, body({ rules }));
      expect([refused.statusCode, refused.json().errors]).toEqual([
        422,
        {
          'rules.conditions.0.delivery_id': [
            'The rules.conditions.0.delivery_id field must refer to an existing delivery.',
          ],
        },
      ]);
    }
  });

  it('name only delivery categories of the app', async () => {
    const { id } = (await call('POST', `/apps/${app}/delivery-categories`, { name: 'Sport' })).json().data;
    const has = (category_id: number) => ({ field: 'category', operator: 'has', category_id });
    await create(body({ rules: rulesOf(has(id)) }));
    for (const route of ['segments', 'segments/preview']) {
      const refused = await call(
        'POST',
        `/apps/${app}/${route}`,
        body({ rules: rulesOf(has(id), rulesOf(has(999_999))) }),
      );
      expect([refused.statusCode, refused.json().errors]).toEqual([
        422,
        {
          'rules.conditions.1.conditions.0.category_id': [
            'The rules.conditions.1.conditions.0.category_id field must refer to an existing delivery category.',
          ],
        },
      ]);
    }
  });

  it.each<[field: string, rules: unknown, message: RegExp]>([
    ['rules', undefined, /is required/],
    ['rules', null, /is required/],
    ['rules', 'all', /must be an object/],
    ['rules', [], /must be an object/],
    ['rules.match', { conditions: [gold] }, /is required/],
    ['rules.match', { match: 'none', conditions: [gold] }, /must be one of all, any/],
    ['rules.conditions', { match: 'all' }, /is required/],
    ['rules.conditions', rulesOf(), /must not be empty/],
    ['rules.conditions', { match: 'all', conditions: {} }, /must be an array/],
    ['rules', rulesOf(...Array(51).fill(gold)), /not have more than 50 conditions/],
    ['rules', rulesOf(...Array(26).fill(rulesOf(gold, gold))), /not have more than 50 conditions/],
    ['rules.conditions.0', rulesOf('gold'), /must be an object/],
    ['rules.conditions.0', rulesOf(null), /must be an object/],
    ['rules.conditions.0.field', rulesOf({}), /is required/],
    ['rules.conditions.0.field', rulesOf({ ...gold, field: 'endpoint' }), /one of tag, device_type, browser/],
    [
      'rules.conditions.1.operator',
      rulesOf(gold, { ...gold, operator: 'like' }),
      /one of equals, not_equals, in/,
    ],
    ['rules.conditions.0.operator', rulesOf({ field: 'country' }), /is required/],
    [
      'rules.conditions.0.values.0',
      rulesOf({ field: 'time_zone', operator: 'in', values: ['+02:00'] }),
      /must be an IANA time zone/,
    ],
    [
      'rules.conditions.0',
      rulesOf({ field: 'share', operator: 'in', key: 'test', from: 5, below: 5 }),
      /must have a `below` that is above `from`/,
    ],
    [
      'rules.conditions.0.operator',
      rulesOf({ field: 'created', operator: 'never' }),
      /one of before, after, within/,
    ],
    ['rules.conditions.0.key', rulesOf({ ...gold, key: undefined }), /is required/],
    ['rules.conditions.0.key', rulesOf({ ...gold, key: '' }), /must not be empty/],
    ['rules.conditions.0.value', rulesOf({ ...gold, value: 5 }), /must be a string/],
    ['rules.conditions.0.value', rulesOf({ ...gold, value: null }), /must be a string/],
    ['rules.conditions.0.value', rulesOf({ ...gold, value: 'x'.repeat(256) }), /longer than 255/],
    ['rules.conditions.0.values', rulesOf({ ...gold, value: undefined, operator: 'in' }), /is required/],
    ['rules.conditions.0.value', rulesOf({ ...gold, values: ['a'], operator: 'in' }), /did you mean/],
    ['rules.conditions.0.values', rulesOf({ field: 'os', operator: 'in', values: [] }), /must not be empty/],
    [
      'rules.conditions.0.values.1',
      rulesOf({ field: 'os', operator: 'in', values: ['a', 1] }),
      /must be a string/,
    ],
    [
      'rules.conditions.0.category_id',
      rulesOf({ field: 'category', operator: 'has', category_id: 0 }),
      /at least 1/,
    ],
    [
      'rules.conditions.0.date',
      rulesOf({ field: 'created', operator: 'before', date: '2026-02-30' }),
      /a date such as/,
    ],
    [
      'rules.conditions.0.date',
      rulesOf({ field: 'created', operator: 'before', date: '0000-01-01' }),
      /a date such as/,
    ],
    [
      'rules.conditions.0.days',
      rulesOf({ field: 'last_seen', operator: 'within_days', days: 0 }),
      /at least 1/,
    ],
    [
      'rules.conditions.0.days',
      rulesOf({ field: 'last_seen', operator: 'within_days', days: 3_651 }),
      /greater than 3650/,
    ],
    [
      'rules.conditions.0.conditions.0.conditions.0',
      rulesOf(rulesOf(rulesOf(rulesOf(gold)))),
      /nested in 3 groups/,
    ],
    [
      'rules.conditions.0.conditions.0.conditions.0.key',
      rulesOf(rulesOf(rulesOf({ ...gold, key: 1 }))),
      /must be a string/,
    ],
    [
      'rules.conditions.0.conditions.0.conditions.0.value',
      rulesOf(rulesOf(rulesOf({ ...gold, value: 'a\0b' }))),
      /cannot be stored/,
    ],
  ])('answer 422 naming %s for %j, and nothing else', async (field, rules, message) => {
    const answer = await call('POST', `/apps/${app}/segments`, body({ rules }));
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]]);
    expect(answer.json().errors[field]).toEqual([expect.stringMatching(message)]);
  });

  it('name everything that is wrong at once, each at its path', async () => {
    const rules = {
      match: 'x',
      conditions: [{ ...gold, key: 1 }, rulesOf({ field: 'os', operator: 'has' })],
    };
    const answer = await call('POST', `/apps/${app}/segments`, { rules });
    expect(Object.keys(answer.json().errors).sort()).toEqual([
      'name',
      'rules.conditions.0.key',
      'rules.conditions.1.conditions.0.operator',
      'rules.match',
    ]);
  });
});
