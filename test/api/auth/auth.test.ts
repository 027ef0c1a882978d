// tier: postgres
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { appBody, callAs, createMember, deliveryBody, openTestApi } from '../support.ts';

describe('a token', async () => {
  const api = await openTestApi();

  const get = (authorization?: string) =>
    api.app.inject({
      url: '/api/v1/client/apps',
      headers: authorization === undefined ? {} : { authorization },
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
