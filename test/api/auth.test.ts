import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { abilities } from '../../api/auth/abilities.ts';
import { appBody, callAs, createMember, createTestApi, deliveryBody, type TestApi } from './support.ts';

describe('a token', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await createTestApi();
  });
  afterAll(() => api.close());

  const get = (authorization?: string) =>
    api.app.inject({
      url: '/api/v1/client/apps',
      headers: authorization === undefined ? {} : { authorization },
    });

  it('opens the API, under the scheme in any case', async () => {
    const { token } = await createMember(api.database);
    expect((await get(`Bearer ${token}`)).statusCode).toBe(200);
    expect((await get(`bearer  ${token}`)).statusCode).toBe(200);
  });

  it('rests as the SHA-256 of its secret', async () => {
    const { token } = await createMember(api.database);
    const [id, secret] = token.split('|') as [string, string];
    const [row] = await api.database.query<{ secret_hash: Buffer; text: string }>(
      `SELECT secret_hash, api_tokens::text AS text FROM api_tokens WHERE id = $1`,
      [id],
    );
    expect(row?.secret_hash).toEqual(createHash('sha256').update(secret).digest());
    expect(row?.text).not.toContain(secret);
  });

  it('that is missing, malformed, wrong, of another id or revoked is answered 401, always alike', async () => {
    const { token } = await createMember(api.database);
    const other = await createMember(api.database);
    const [id, secret] = token.split('|') as [string, string];
    const revoked = await createMember(api.database);
    expect((await get(`Bearer ${revoked.token}`)).statusCode).toBe(200);
    await api.database.query(`UPDATE api_tokens SET revoked_at = now() WHERE user_id = $1`, [revoked.userId]);
    const answers = await Promise.all(
      [
        undefined,
        '',
        'Bearer',
        `Basic ${token}`,
        `Bearer ${secret}`,
        `Bearer ${id}|${'a'.repeat(43)}`,
        `Bearer ${id}|${secret}x`,
        `Bearer ${id}|`,
        `Bearer ${other.token.split('|')[0]}|${secret}`,
        `Bearer 999999|${secret}`,
        `Bearer 99999999999|${secret}`,
        `Bearer 0|${secret}`,
        `Bearer ${revoked.token}`,
      ].map(get),
    );
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it.each([
    ['GET', '/apps', 'apps:read'],
    ['GET', '/apps/x', 'apps:read'],
    ['POST', '/apps', 'apps:write'],
    ['GET', '/apps/x/deliveries', 'deliveries:read'],
    ['GET', '/apps/x/deliveries/1', 'deliveries:read'],
    ['POST', '/apps/x/deliveries', 'deliveries:write'],
    ['GET', '/apps/x/analytics/overview', 'analytics:read'],
  ] as const)('without the ability is answered 403: %s %s needs %s', async (method, path, ability) => {
    const all = await createMember(api.database);
    const lacking = await createMember(api.database, {
      abilities: abilities.filter((each) => each !== ability),
    });
    const only = await createMember(api.database, { abilities: [ability] });
    const body = method === 'POST' ? {} : undefined;
    const refused = await callAs(api.app, lacking)(method, path, body);
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { message: `Token does not have the required ability: ${ability}` },
    ]);
    const allowed = await callAs(api.app, only)(method, path, body);
    expect(allowed.statusCode).toBe((await callAs(api.app, all)(method, path, body)).statusCode);
    expect([401, 403]).not.toContain(allowed.statusCode);
  });

  it('is checked before the body is read', async () => {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/v1/client/apps',
      headers: { 'content-type': 'application/json' },
      payload: '{"broken',
    });
    expect(answer.statusCode).toBe(401);
  });

  it('notes its last use, once a minute', async () => {
    const member = await createMember(api.database);
    const lastUse = async () =>
      (
        await api.database.query<{ at: Date | null; version: string }>(
          `SELECT last_used_at AS at, xmin::text AS version FROM api_tokens WHERE user_id = $1`,
          [member.userId],
        )
      )[0];
    expect((await lastUse())?.at).toBeNull();
    await get(`Bearer ${member.token}`);
    const first = await lastUse();
    expect(first?.at).toBeInstanceOf(Date);
    await get(`Bearer ${member.token}`);
    expect(await lastUse()).toEqual(first);
    await api.database.query(
      `UPDATE api_tokens SET last_used_at = now() - interval '61 seconds' WHERE user_id = $1`,
      [member.userId],
    );
    await get(`Bearer ${member.token}`);
    expect((await lastUse())?.at?.getTime()).toBeGreaterThanOrEqual(first?.at?.getTime() ?? 0);
  });

  it('reaches nothing of another organization, by any path', async () => {
    const owner = callAs(api.app, await createMember(api.database));
    const { identifier } = (await owner('POST', '/apps', appBody())).json().data;
    const { id } = (await owner('POST', `/apps/${identifier}/deliveries`, deliveryBody())).json().data;
    const colleague = await createMember(api.database, { role: 'super-admin' });
    for (const member of [await createMember(api.database), colleague]) {
      const stranger = callAs(api.app, member);
      for (const path of [
        '',
        '/deliveries',
        `/deliveries/${id}`,
        '/analytics/overview',
        '/deliveries?status=pending',
      ]) {
        const foreign = await stranger('GET', `/apps/${identifier}${path}`);
        const missing = await stranger('GET', `/apps/missing${path}`);
        expect([foreign.statusCode, foreign.body]).toEqual([404, missing.body]);
      }
    }
  });
});

describe('analytics/overview', () => {
  it('adds up subscribers, deliveries and clicks, is kept for a while, and waits for ClickHouse', async () => {
    const api = await createTestApi();
    const call = callAs(api.app, await createMember(api.database));
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const path = `/apps/${identifier}/analytics/overview`;
    await api.database.query(
      `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, device_type, country, status)
       SELECT id, n, 'e' || n, '', '', (ARRAY['mobile', 'desktop', NULL])[n % 3 + 1], (ARRAY['PL', 'DE', 'PL', NULL])[n % 4 + 1],
         CASE WHEN n = 11 THEN 'unsubscribed' ELSE 'subscribed' END
       FROM apps, generate_series(0, 11) AS n`,
    );
    await api.database.query(`UPDATE apps SET subscriber_count = 12, active_subscriber_count = 11`);
    await call('POST', `/apps/${identifier}/deliveries`, deliveryBody());
    await api.database.query(`UPDATE deliveries SET status = 'success', success_count = 11`);
    api.analytics.away = true;
    expect((await call('GET', path)).statusCode).toBe(503);
    api.analytics.away = false;
    api.analytics.clicks.set(1 as never, 3);
    const overview = {
      total_subscribers: 12,
      active_subscribers: 11,
      total_deliveries: 1,
      total_clicks: 3,
      avg_click_rate: 27.27,
      subscribers_by_device: { desktop: 4, mobile: 4, tablet: 0, unknown: 3 },
      subscribers_by_country: [
        { country: 'PL', count: 6 },
        { country: 'DE', count: 3 },
      ],
    };
    const asked = api.analytics.asked;
    const answers = await Promise.all([1, 2, 3].map(() => call('GET', path)));
    for (const answer of answers) expect(answer.json()).toEqual(overview);
    api.analytics.clicks.clear();
    expect((await call('GET', path)).json()).toEqual(overview);
    expect(api.analytics.asked).toBe(asked + 1);
    await api.close();
  });
});
