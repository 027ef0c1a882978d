// tier: postgres
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { createWebhookStore } from '../../../engine/adapters/postgres/outgoing/webhook-store.ts';
import { createSealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { endpointContext } from '../../../engine/contract/webhooks.ts';
import { createSendMessage } from '../../../engine/outgoing/webhooks/send-message.ts';
import { createMessageStep } from '../../../engine/outgoing/webhooks/send-step.ts';
import { loopbackAllowed } from '../../support/images.ts';
import { startReceiver } from '../../support/webhooks.ts';
import { callAs, createMember, MASTER_KEY, type Member, openTestApi } from '../support.ts';

const hook = {
  url: 'https://cms.example.com/in?key=a',
  description: 'Newsroom',
  types: ['delivery.success'],
};

describe('webhooks', async () => {
  let admin: Member;
  let call: ReturnType<typeof callAs>;

  const api = await openTestApi();
  beforeEach(async () => {
    admin = await createMember(api.database);
    call = callAs(api.app, admin);
  });

  const create = async (body: object = hook) => (await call('POST', '/webhooks', body)).json().data;
  const sealer = createSealer(MASTER_KEY);
  const keyOf = async (id: number, column = 'secret_sealed'): Promise<string> => {
    const [row] = await api.database.query<{ sealed: Buffer }>(
      `SELECT ${column} AS sealed FROM webhook_endpoints WHERE id = $1`,
      [id],
    );
    return `whsec_${sealer.open(row?.sealed ?? Buffer.alloc(0), endpointContext(id)).toString('base64')}`;
  };
  const sendAll = async (): Promise<void> => {
    const step = createMessageStep({
      store: createWebhookStore(api.database),
      sendMessage: createSendMessage({
        ...{ addresses: loopbackAllowed, openSecret: sealer.open, nowMs: Date.now, deadlineMs: 5_000 },
      }),
      onError: (error) => {
        throw error;
      },
    });
    for (let begun = 1; begun > 0; await step.idle()) begun = await step.step();
  };
  const actions = async (): Promise<string[]> => {
    const rows = await api.database.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE organization_id = $1 ORDER BY id`,
      [admin.organizationId],
    );
    return rows.map(({ action }) => action);
  };

  it('have a secret, which is shown once and sealed', async () => {
    const made = await call('POST', '/webhooks', hook);
    expect(made.statusCode, made.body).toBe(201);
    const { id, secret } = made.json().data;
    expect(secret).toMatch(/^whsec_/);
    expect(secret).toBe(await keyOf(id));
    const shown = await call('GET', `/webhooks/${id}`);
    expect(shown.json().data).toMatchObject({ ...hook, enabled: true, disabled_reason: null, waiting: 0 });
    expect(shown.body + (await call('GET', '/webhooks')).body).not.toContain(secret);
  });

  it('rotate their secret; the one before is kept for a day', async () => {
    const { id, secret: before } = await create();
    const rotated = (await call('POST', `/webhooks/${id}/rotate-secret`)).json().data;
    expect(rotated.secret).toBe(await keyOf(id));
    expect(await keyOf(id, 'old_secret_sealed')).toBe(before);
    const hours = (Date.parse(rotated.old_secret_until) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    expect(await actions()).toEqual(['webhook.created', 'webhook.secret-rotated']);
  });

  it.each([
    'http://cms.example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/',
    'https://user:password@cms.example.com/',
    'nonsense',
  ])('refuse the URL %s', async (url) => {
    const { id } = await create();
    for (const refused of [
      await call('POST', '/webhooks', { ...hook, url }),
      await call('PATCH', `/webhooks/${id}`, { url }),
    ])
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['url']]);
  });

  it('are changed, enabled again and deleted, with audit entries that hold no query', async () => {
    const { id } = await create();
    await api.database.query(
      `UPDATE webhook_endpoints SET enabled = false, disabled_reason = 'It failed.', failing_since = now(), failures = 9,
         paused_until = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );
    const changed = await call('PATCH', `/webhooks/${id}`, { enabled: true });
    expect(changed.json().data).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
    const types = { types: ['delivery.failed', 'delivery.failed'] };
    expect((await call('PATCH', `/webhooks/${id}`, types)).json().data.types).toEqual(['delivery.failed']);
    expect((await call('DELETE', `/webhooks/${id}`)).statusCode).toBe(204);
    expect((await call('GET', `/webhooks/${id}`)).statusCode).toBe(404);
    expect(await actions()).toEqual([
      ...['webhook.created', 'webhook.updated', 'webhook.updated', 'webhook.deleted'],
    ]);
    const audit = await api.database.query(`SELECT detail FROM audit_log WHERE organization_id = $1`, [
      admin.organizationId,
    ]);
    expect(JSON.stringify(audit)).toContain('https://cms.example.com/in');
    expect(JSON.stringify(audit)).not.toContain('key=a');
  });

  it('are twenty at most', async () => {
    const made = [];
    for (let i = 0; i < 21; i++) made.push((await call('POST', '/webhooks', hook)).statusCode);
    expect(made).toEqual([...Array.from({ length: 20 }, () => 201), 422]);
  });

  it('are for admins whose token has the ability', async () => {
    const { organizationId } = admin;
    const member = callAs(api.app, await createMember(api.database, { role: 'member', organizationId }));
    const reader = callAs(
      api.app,
      await createMember(api.database, { organizationId, abilities: ['deliveries:read'] }),
    );
    const { id } = await create();
    expect((await member('GET', '/webhooks')).statusCode).toBe(403);
    expect((await reader('GET', `/webhooks/${id}`)).statusCode).toBe(200);
    for (const path of ['', `/${id}/ping`, `/${id}/rotate-secret`])
      expect((await reader('POST', `/webhooks${path}`, hook)).statusCode).toBe(403);
  });

  it('of another organization look like missing ones', async () => {
    const { id } = await create();
    const message = (await call('POST', `/webhooks/${id}/ping`)).json().data.id;
    const stranger = callAs(api.app, await createMember(api.database));
    const own = (await stranger('POST', '/webhooks', hook)).json().data.id;
    const asked = [
      stranger('GET', `/webhooks/${id}`),
      stranger('PATCH', `/webhooks/${id}`, { enabled: false }),
      stranger('DELETE', `/webhooks/${id}`),
      stranger('POST', `/webhooks/${id}/ping`),
      stranger('POST', `/webhooks/${id}/rotate-secret`),
      stranger('GET', `/webhooks/${id}/messages`),
      stranger('POST', `/webhooks/${id}/messages/${message}/replay`),
      stranger('POST', `/webhooks/${own}/messages/${message}/replay`),
    ];
    for (const answer of await Promise.all(asked)) expect(answer.statusCode).toBe(404);
    expect((await call('GET', `/webhooks/${id}`)).json().data.enabled).toBe(true);
  });

  it('are tried with a ping, whose answer the log shows; six a minute', async () => {
    const at = await startReceiver(() => ({ status: 500, body: 'no such route' }));
    const { id, secret } = await create();
    await api.database.query(`UPDATE webhook_endpoints SET url = $2 WHERE id = $1`, [id, at.url]);
    const ping = (await call('POST', `/webhooks/${id}/ping`)).json().data;
    expect(ping).toMatchObject({ type: 'ping', state: 'waiting', answers: [] });
    await sendAll();
    const [shown] = (await call('GET', `/webhooks/${id}/messages`)).json().data;
    expect(shown).toMatchObject({
      ...{ id: ping.id, attempts: 1, next_attempt_at: expect.any(String) },
      answers: [{ status: 500, words: 'answered 500', body: 'no such route' }],
    });
    const { body = '', headers = {} } = at.got[0] ?? {};
    expect(JSON.parse(body)).toEqual(shown.payload);
    expect(headers['webhook-id']).toBe(shown.header_id);
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy();
    for (let i = 0; i < 5; i++) expect((await call('POST', `/webhooks/${id}/ping`)).statusCode).toBe(201);
    const refused = await call('POST', `/webhooks/${id}/ping`);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    at.close();
  });

  it('send a message again, under its id and with its payload, though the endpoint pauses', async () => {
    const at = await startReceiver(200);
    const { id } = await create();
    await api.database.query(`UPDATE webhook_endpoints SET url = $2 WHERE id = $1`, [id, at.url]);
    const { id: pinged } = (await call('POST', `/webhooks/${id}/ping`)).json().data;
    await sendAll();
    await api.database.query(`UPDATE webhook_endpoints SET paused_until = now() + interval '1 hour'`);
    const replay = await call('POST', `/webhooks/${id}/messages/${pinged}/replay`);
    expect(replay.statusCode, replay.body).toBe(201);
    await sendAll();
    expect(at.got[1]?.body).toBe(at.got[0]?.body);
    expect(at.got[1]?.headers['webhook-id']).toBe(at.got[0]?.headers['webhook-id']);
    const { data, meta } = (await call('GET', `/webhooks/${id}/messages?state=sent&per_page=1`)).json();
    expect([data[0].id, meta.total]).toEqual([replay.json().data.id, 2]);
    expect(data[0].id).not.toBe(pinged);
    expect((await call('POST', `/webhooks/${id}/messages/999999/replay`)).statusCode).toBe(404);
    expect(await actions()).toEqual(['webhook.created', 'webhook.pinged', 'webhook.replayed']);
    at.close();
  });

  it('get nothing while they are disabled: neither what waits, nor a ping or a replay', async () => {
    const { id } = await create();
    const { id: message } = (await call('POST', `/webhooks/${id}/ping`)).json().data;
    await call('PATCH', `/webhooks/${id}`, { enabled: false });
    const { data } = (await call('GET', `/webhooks/${id}/messages`)).json();
    expect(data).toMatchObject([{ id: message, state: 'failed', next_attempt_at: null }]);
    for (const path of ['ping', `messages/${message}/replay`])
      expect((await call('POST', `/webhooks/${id}/${path}`)).statusCode).toBe(409);
  });
});
