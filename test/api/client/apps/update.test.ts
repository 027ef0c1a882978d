// tier: postgres
import { describe, expect, it } from 'vitest';
import { createPlanStore } from '../../../../engine/adapters/postgres/plan/plan-store.ts';
import { createScheduleStore } from '../../../../engine/adapters/postgres/plan/schedule-store.ts';
import { type DeliveryId, toId } from '../../../../engine/contract/ids.ts';
import {
  appBody,
  callAs,
  createMember,
  deliveryBody,
  newEndpoint,
  newKeys,
  openWithMember,
} from '../../support.ts';

const { api, member, call } = await openWithMember();

const created = async (changes: object = {}) => (await call('POST', '/apps', appBody(changes))).json().data;
const notes = async (identifier: string) =>
  api.database.query<{ action: string; detail: { fields?: string[] } }>(
    `SELECT action, detail FROM audit_log WHERE subject_id = $1 AND action LIKE 'app.%' ORDER BY id`,
    [identifier],
  );
const subscribe = (identifier: string, origin: string) =>
  api.app.inject({
    method: 'POST',
    url: '/api/v1/public/subscribe',
    headers: { origin, 'x-app-id': identifier },
    payload: { appId: identifier, userId: 'u', subscription: { endpoint: newEndpoint(), keys: newKeys() } },
  });

describe('an update', () => {
  const full = {
    frequency_cap_max_notifications: 5,
    frequency_cap_window_minutes: 60,
    default_ttl_seconds: 10,
    default_require_interaction: true,
    default_silent: true,
    default_vibrate_pattern: [1, 2],
    auto_delete_unsubscribed_enabled: true,
    auto_delete_unsubscribed_days: 5,
    default_query_params: [{ key: 'a', value: 'b' }],
  };

  it('by PUT resets absent fields to their default', async () => {
    const app = await created(full);
    const { data } = (await call('PUT', `/apps/${app.identifier}`, appBody({ name: 'New' }))).json();
    const fresh = await created({ name: 'New' });
    expect(data).toEqual({
      ...fresh,
      identifier: app.identifier,
      created_at: app.created_at,
      updated_at: data.updated_at,
    });
    expect(
      (await notes(app.identifier)).map(({ action, detail }) => [action, detail.fields?.toSorted()]),
    ).toEqual([
      ['app.created', undefined],
      ['app.updated', ['name', ...Object.keys(full)].toSorted()],
    ]);
  });

  it('by PATCH with a name and a site alone keeps everything else', async () => {
    const app = await created(full);
    const { data } = (await call('PATCH', `/apps/${app.identifier}`, appBody({ name: 'New' }))).json();
    expect(data).toEqual({ ...app, name: 'New', updated_at: data.updated_at });
    expect((await notes(app.identifier)).map(({ detail }) => detail.fields)).toEqual([undefined, ['name']]);
  });

  it('by PATCH with the whole app, as it was read, changes the differences, and null takes a default', async () => {
    const app = await created(full);
    const path = `/apps/${app.identifier}`;
    expect((await call('PATCH', path, { ...app, name: 'New' })).json().data).toMatchObject({
      ...full,
      name: 'New',
    });
    const nulls = Object.fromEntries(Object.keys(full).map((field) => [field, null]));
    const { data } = (await call('PATCH', path, appBody(nulls))).json();
    const fresh = await created();
    for (const field of Object.keys(full)) expect([field, data[field]]).toEqual([field, fresh[field]]);
  });

  it.each<[string, object, string, RegExp]>([
    [
      'the window of a cap',
      { frequency_cap_window_minutes: null },
      'frequency_cap_window_minutes',
      /required when frequency_cap_max/,
    ],
    [
      'the days of auto-delete',
      { auto_delete_unsubscribed_days: null },
      'auto_delete_unsubscribed_days',
      /required when auto_delete/,
    ],
    [
      'a cap without its window',
      { frequency_cap_max_notifications: 9 },
      'frequency_cap_window_minutes',
      /required when frequency_cap_max/,
    ],
  ])(
    'by PATCH that would leave the app without a required setting is refused: %s',
    async (_what, changes, field, words) => {
      const app = await created(full);
      const answer = await call('PATCH', `/apps/${app.identifier}`, appBody(changes));
      expect([answer.statusCode, answer.json().errors]).toEqual([
        422,
        { [field]: [expect.stringMatching(words)] },
      ]);
      expect((await call('GET', `/apps/${app.identifier}`)).json().data).toEqual(app);
    },
  );

  it('by PATCH may remove a cap and switch auto-delete off by its one deciding field', async () => {
    const app = await created(full);
    const changes = { frequency_cap_max_notifications: null, auto_delete_unsubscribed_enabled: false };
    const { data } = (await call('PATCH', `/apps/${app.identifier}`, appBody(changes))).json();
    expect(data).toEqual({ ...app, ...changes, updated_at: data.updated_at });
  });

  it('by PATCH at the same moment as others keeps the fields of each of them', async () => {
    const app = await created();
    const changes = Object.entries(full).filter(([field]) => field.startsWith('default_'));
    const answers = await Promise.all(
      changes.map(([field, value]) => call('PATCH', `/apps/${app.identifier}`, appBody({ [field]: value }))),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(changes.map(() => 200));
    expect((await call('GET', `/apps/${app.identifier}`)).json().data).toMatchObject(
      Object.fromEntries(changes),
    );
  });

  it('leaves the key pair, the counts and the subscriptions alone', async () => {
    const { identifier } = await created();
    const keep = () =>
      api.database.query(
        `SELECT vapid_public_key, vapid_private_key_sealed, next_seq, subscriber_count, id FROM apps WHERE identifier = $1`,
        [identifier],
      );
    await subscribe(identifier, appBody().site_domain);
    const before = await keep();
    expect(before).toMatchObject([{ next_seq: 1, subscriber_count: 1 }]);
    await call(
      'PUT',
      `/apps/${identifier}`,
      appBody({ name: 'Other', site_domain: 'https://other.example' }),
    );
    expect(await keep()).toEqual(before);
  });

  it('that changes nothing writes nothing', async () => {
    const app = await created();
    await api.database.query(`UPDATE apps SET updated_at = '2020-01-01' WHERE identifier = $1`, [
      app.identifier,
    ]);
    const same = (await call('PUT', `/apps/${app.identifier}`, appBody())).json().data;
    expect(same.updated_at).toBe('2020-01-01T00:00:00+00:00');
    const other = (await call('PUT', `/apps/${app.identifier}`, appBody({ name: 'Other' }))).json().data;
    expect(other.updated_at).not.toBe('2020-01-01T00:00:00+00:00');
    expect(await notes(app.identifier)).toHaveLength(2);
  });

  it('at the same moment as another one wins whole, or loses whole', async () => {
    const { identifier } = await created();
    const bodies = Array.from({ length: 8 }, (_, n) =>
      appBody({
        name: `Name ${n}`,
        default_ttl_seconds: n,
        default_query_params: [{ key: 'n', value: `${n}` }],
      }),
    );
    const answers = await Promise.all(bodies.map((body) => call('PUT', `/apps/${identifier}`, body)));
    for (const [n, answer] of answers.entries()) expect(answer.json().data).toMatchObject(bodies[n] ?? {});
    const { data } = (await call('GET', `/apps/${identifier}`)).json();
    expect(bodies.filter((body) => body.name === data.name)).toEqual([
      expect.objectContaining({
        default_ttl_seconds: data.default_ttl_seconds,
        default_query_params: data.default_query_params,
      }),
    ]);
  });

  it('answers another organization’s app like a missing one, and does nothing', async () => {
    const { identifier } = await created();
    const strangers = [
      callAs(api.app, await createMember(api.database)),
      callAs(api.app, await createMember(api.database, { role: 'super-admin' })),
    ];
    for (const stranger of strangers) {
      for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
        const body = method === 'DELETE' ? undefined : appBody({ name: 'Theirs' });
        const foreign = await stranger(method, `/apps/${identifier}`, body);
        const missing = await stranger(method, '/apps/missing', body);
        expect([foreign.statusCode, foreign.body]).toEqual([404, missing.body]);
      }
    }
    expect((await call('GET', `/apps/${identifier}`)).json().data.name).toBe(appBody().name);
  });

  it('moves the app with everything it owns to the organization that a super-admin names', async () => {
    const admin = await createMember(api.database, { role: 'super-admin' });
    const asAdmin = callAs(api.app, admin);
    const { identifier } = (await asAdmin('POST', '/apps', appBody())).json().data;
    const refused = await asAdmin('PUT', `/apps/${identifier}`, appBody({ organization_id: 999_999 }));
    expect(refused.json().errors.organization_id[0]).toMatch(/existing organization/);
    const moved = await asAdmin(
      'PUT',
      `/apps/${identifier}`,
      appBody({ organization_id: member.organizationId }),
    );
    expect(moved.statusCode).toBe(200);
    expect((await asAdmin('GET', `/apps/${identifier}`)).statusCode).toBe(404);
    expect((await call('GET', `/apps/${identifier}`)).statusCode).toBe(200);
    expect((await notes(identifier)).at(-1)?.detail.fields).toEqual(['organization_id']);
  });
});

describe('the site of an app', () => {
  it.each([
    ['https://News.Example', 'https://news.example'],
    ['HTTPS://news.example', 'https://news.example'],
    ['https://news.example:443', 'https://news.example'],
    ['http://news.example:80', 'http://news.example'],
    ['https://news.example:8443', 'https://news.example:8443'],
    ['https://nachrichten-für-köln.example', 'https://xn--nachrichten-fr-kln-s3b0j.example'],
    ['https://ПРИМЕР.example', 'https://xn--e1afmkfd.example'],
    ['https://xn--e1afmkfd.example', 'https://xn--e1afmkfd.example'],
  ])('given as %s is stored as browsers send it, and accepts their subscriptions', async (given, origin) => {
    const app = await created({ site_domain: given });
    expect(app.site_domain).toBe(origin);
    expect(new URL(given).origin).toBe(origin);
    expect((await subscribe(app.identifier, origin)).statusCode).toBe(200);
    for (const method of ['PUT', 'PATCH'] as const) {
      await call(method, `/apps/${app.identifier}`, appBody({ site_domain: 'https://other.example' }));
      const { data } = (
        await call(method, `/apps/${app.identifier}`, appBody({ site_domain: given }))
      ).json();
      expect([method, data.site_domain]).toEqual([method, origin]);
    }
  });
});

describe('a deleted app', () => {
  const path = (identifier: string) => `/apps/${identifier}`;

  it('is invisible, takes no subscription, and is deleted once', async () => {
    const { identifier } = await created({ site_domain: 'https://gone.example' });
    expect((await call('DELETE', path(identifier))).statusCode).toBe(204);
    expect((await call('GET', '/apps?per_page=100')).body).not.toContain(identifier);
    for (const [method, body] of [['GET'], ['PUT', appBody()], ['PATCH', appBody()], ['DELETE']] as const) {
      expect((await call(method, path(identifier), body)).statusCode).toBe(404);
    }
    expect((await call('GET', `${path(identifier)}/deliveries`)).statusCode).toBe(404);
    expect((await call('POST', `${path(identifier)}/deliveries`, deliveryBody())).statusCode).toBe(404);
    expect((await notes(identifier)).map(({ action }) => action)).toEqual(['app.created', 'app.deleted']);
  });

  it('deleted by two at once is deleted by one of them', async () => {
    const { identifier } = await created();
    const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', path(identifier))));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 404, 404]);
  });

  it('sends nothing further: open deliveries are cancelled, completed ones stay as they ended', async () => {
    const { identifier } = await created();
    const ids: Record<string, DeliveryId> = {};
    for (const status of ['pending', 'scheduled', 'queued', 'processing', 'success', 'failed']) {
      const { data } = (await call('POST', `${path(identifier)}/deliveries`, deliveryBody())).json();
      ids[status] = toId(data.id);
      await api.database.query(`UPDATE deliveries SET status = $2 WHERE id = $1`, [data.id, status]);
    }
    await call('DELETE', path(identifier));
    const rows = await api.database.query<{ id: DeliveryId; status: string }>(
      `SELECT id, status FROM deliveries WHERE id = ANY($1)`,
      [Object.values(ids)],
    );
    const now = Object.fromEntries(rows.map(({ id, status }) => [id, status]));
    for (const [was, id] of Object.entries(ids)) {
      expect([was, now[id]]).toEqual([was, ['success', 'failed'].includes(was) ? was : 'cancelled']);
    }
  });

  it('has no delivery planned that slipped in while it was deleted', async () => {
    const { identifier } = await created();
    const { id } = (await call('POST', `${path(identifier)}/deliveries`, deliveryBody())).json().data;
    await call('DELETE', path(identifier));
    await api.database.query(`UPDATE deliveries SET status = 'pending' WHERE id = $1`, [id]);
    expect(await createPlanStore(api.database).countAudience(toId(id))).toBeNull();
    const plan = { audience: null, shards: [], traceparent: null };
    expect(await createPlanStore(api.database).writePlan(toId(id), plan)).toBe(false);
    expect(await createScheduleStore(api.database).startDueDeliveries(10)).toBe(0);
  });
});
