// tier: postgres
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { createMember, openTestApi } from '../support.ts';

describe('broadside webhook', async () => {
  const api = await openTestApi();
  const folder = await mkdtemp(join(tmpdir(), 'broadside-webhook-'));
  const { token } = await createMember(api.database);
  const env = {
    BROADSIDE_URL: await api.app.listen({ host: '127.0.0.1', port: 0 }),
    BROADSIDE_TOKEN: token,
  };
  afterAll(() => rm(folder, { recursive: true }));

  const run = (...args: readonly string[]) => runCliHere(['webhook', ...args], { cwd: folder, env });
  const url = 'https://cms.example.com/in';
  const types = ['--type', 'delivery.success', '--type', 'delivery.failed'];

  it('creates, shows, changes and deletes', async () => {
    expect((await run('list')).out).toContain('No webhook yet');
    const made = await run('create', '--url', url, ...types);
    const [, id = ''] = /^Webhook (\d+) is made\.\nIts secret, shown once: whsec_\S+\n$/.exec(made.out) ?? [];
    expect([made.code, made.err]).toEqual([0, '']);
    expect((await run('list')).out).toMatch(/working +0 +delivery\.success, delivery\.failed/);
    expect((await run('change', id, '--disable')).out).toContain(`Webhook ${id}: disabled, 0 waiting.`);
    const shown = JSON.parse((await run('show', id, '--json')).out);
    expect(shown).toMatchObject({ url, enabled: false, types: ['delivery.success', 'delivery.failed'] });
    expect((await run('ping', id)).err).toContain('The webhook is disabled: enable it first.');
    expect((await run('change', id, '--enable')).out).toContain('working');
    expect((await run('rotate', id)).out).toMatch(
      /whsec_\S+ The one before signs as well until 2\S+ .* UTC\./,
    );
    expect((await run('delete', id)).out).toBe(`Webhook ${id} is deleted.\n`);
    expect((await run('show', id)).code).toBe(1);
  });

  it('pings, lists what was sent, and sends it again', async () => {
    const { id } = JSON.parse((await run('create', '--url', url, ...types, '--json')).out);
    const [, message = ''] = /^Message (\d+): waiting\./.exec((await run('ping', String(id))).out) ?? [];
    await api.database.query(
      `UPDATE webhook_messages SET state = 'sent', attempts = 1, due_at = NULL, ended_at = now(),
         answers = '[{"at": "2026-01-31T12:00:00Z", "status": 204, "words": "answered 204", "body": "", "took_ms": 9}]'`,
    );
    expect((await run('messages', String(id), '--state', 'sent')).out).toMatch(
      new RegExp(`${message} +ping +sent .* 1 +answered 204`),
    );
    expect((await run('messages', String(id), '--state', 'failed')).out).toBe('No such message.\n');
    const again = /^Message (\d+): waiting\./.exec((await run('replay', String(id), message)).out);
    expect(Number(again?.[1])).toBeGreaterThan(Number(message));
  });

  it('explains what is missing or wrong by its options', async () => {
    const wrong = await run('create', '--url', 'http://127.0.0.1/', '--type', 'delivery.success');
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringContaining('--url must be an https URL on the public internet.'),
    ]);
    const missing = await run('create', '--url', url);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('--type')]);
    const unknown = await run('create', '--url', url, '--type', 'delivery.gone');
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('--type')]);
  });
});
