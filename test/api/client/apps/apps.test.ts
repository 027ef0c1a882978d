// tier: postgres
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { appSchema } from '../../../../api/client/apps/schema.ts';
import { createSealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import { appBody, callAs, createMember, MASTER_KEY, openWithMember } from '../../support.ts';

describe('apps', async () => {
  const { api, member, call } = await openWithMember();

  it('are created with the defaults of the specification and a key pair whose private half rests sealed', async () => {
    const answer = await call('POST', '/apps', appBody({ name: 'Żółty Kurier!' }));
    expect(answer.statusCode).toBe(201);
    const { data } = answer.json();
    expect(Compile(appSchema).Check(data)).toBe(true);
    expect(data).toMatchObject({
      name: 'Żółty Kurier!',
      identifier: expect.stringMatching(/^zo-ty-kurier-[a-z2-9]{6}$/),
      default_ttl_seconds: 86_400,
      frequency_cap_max_notifications: null,
      default_query_params: [],
      subscriber_count: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    });
    expect(data).not.toHaveProperty('id');
    const [row] = await api.database.query<{ public: string; sealed: Buffer }>(
      `SELECT vapid_public_key AS public, vapid_private_key_sealed AS sealed FROM apps WHERE identifier = $1`,
      [data.identifier],
    );
    expect(Buffer.from(row?.public ?? '', 'base64url')).toHaveLength(65);
    const opened = createSealer(MASTER_KEY).open(row?.sealed ?? Buffer.alloc(0), data.identifier);
    expect(Buffer.from(opened.toString(), 'base64url')).toHaveLength(32);
  });

  it('keep every field of a full body', async () => {
    const body = appBody({
      frequency_cap_max_notifications: 100,
      frequency_cap_window_minutes: 1440,
      default_ttl_seconds: 0,
      default_require_interaction: true,
      default_silent: true,
      default_vibrate_pattern: [0, 100, 10_000],
      auto_delete_unsubscribed_enabled: true,
      auto_delete_unsubscribed_days: 365,
      default_query_params: [{ key: 'utm_source', value: 'push & more' }],
    });
    const { data } = (await call('POST', '/apps', body)).json();
    expect(data).toMatchObject(body);
    expect((await call('GET', `/apps/${data.identifier}`)).json()).toEqual({ data });
  });

  it.each([
    ['NUL', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800b'],
  ])('answer 422 for %s in a text, which Postgres cannot store', async (_what, name) => {
    const { statusCode, body } = await call('POST', '/apps', appBody({ name }));
    expect([statusCode, Object.keys(JSON.parse(body).errors)]).toEqual([422, ['name']]);
  });

  it('name all errors at once', async () => {
    const body = {
      site_domain: 'x',
      default_ttl_seconds: -1,
      default_silent: 3,
      auto_delete_unsubscribed_enabled: true,
    };
    const { errors, message } = (await call('POST', '/apps', body)).json();
    expect(Object.keys(errors).sort()).toEqual([
      'auto_delete_unsubscribed_days',
      'default_silent',
      'default_ttl_seconds',
      'name',
      'site_domain',
    ]);
    expect(message).toMatch(/and 4 more errors/);
  });

  it('take null for an optional field', async () => {
    const answer = await call(
      'POST',
      '/apps',
      appBody({ frequency_cap_max_notifications: null, default_silent: null }),
    );
    expect(answer.statusCode).toBe(201);
  });

  it('may be created for another organization by a super-admin, if it exists', async () => {
    const admin = callAs(api.app, await createMember(api.database, { role: 'super-admin' }));
    const made = await admin('POST', '/apps', appBody({ organization_id: member.organizationId }));
    expect(made.statusCode).toBe(201);
    expect((await call('GET', `/apps/${made.json().data.identifier}`)).statusCode).toBe(200);
    const refused = await admin('POST', '/apps', appBody({ organization_id: 999_999 }));
    expect(refused.json().errors.organization_id[0]).toMatch(/existing organization/);
  });

  it('with one name get different identifiers, and none reveals whether the name was taken', async () => {
    const made = await Promise.all([1, 2, 3].map(() => call('POST', '/apps', appBody({ name: '日本' }))));
    const identifiers = made.map((answer) => answer.json().data.identifier);
    expect(new Set(identifiers).size).toBe(3);
    for (const identifier of identifiers) expect(identifier).toMatch(/^app-[a-z2-9]{6}$/);
  });
});
