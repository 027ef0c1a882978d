// tier: postgres
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFirstAdmin } from '../../../api/up/first-admin.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { bearer, openTestApi } from '../support.ts';
import { createPerson, logIn, openBrowser } from './support.ts';

const NEW_PASSWORD = 'chosen by the person';

const api = await openTestApi();
const folder = await mkdtemp(join(tmpdir(), 'broadside-users-'));
afterAll(() => rm(folder, { recursive: true }));

const accept = (url: string) =>
  api.app.inject({
    method: 'POST',
    url: '/api/v1/account/invitations/accept',
    payload: { invitation: url.trim().split('#').at(-1), name: 'Ada', password: NEW_PASSWORD },
  });

describe('broadside user', () => {
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runCliHere(['user', ...args], { cwd: folder, env: { DATABASE_URL: api.databaseUrl, ...env } });
  const inviteArgs = (email: string, ...more: string[]) => [
    'invite',
    ...['--email', email, '--organization', 'Example News'],
    ...more,
  ];

  it('invite adds a user to an organization, and creates the organization', async () => {
    const { code, out, err } = await run(inviteArgs('ada@example.com', '--role', 'admin'));
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/invitations#\d+\.[\w-]{43}\n$/),
    ]);
    expect(err).toMatch(/^Good for one use until .*\+00:00\. It is not shown again\.\n$/);
    const accepted = await accept(out);
    expect([accepted.statusCode, accepted.json().data]).toEqual([
      201,
      expect.objectContaining({
        user: expect.objectContaining({ email: 'ada@example.com', role: 'admin' }),
        organization: { id: expect.any(Number), name: 'Example News' },
      }),
    ]);
    const rows = await api.database.query<{ action: string; via: string }>(
      `SELECT action, via FROM audit_log WHERE organization_id = $1 ORDER BY id`,
      [accepted.json().data.organization.id],
    );
    expect(rows).toEqual([
      { action: 'organization.created', via: 'command' },
      { action: 'invitation.created', via: 'command' },
      { action: 'invitation.accepted', via: 'session' },
    ]);
  });

  it('invite gives an existing user a new password, and ends their sessions', async () => {
    const person = await createPerson(api.database);
    await api.database.query(`UPDATE organizations SET name = 'Daily' WHERE id = $1`, [
      person.organizationId,
    ]);
    const browser = await openBrowser(api.app, person);
    const args = ['invite', '--email', person.email, '--organization', 'Daily', '--json'];
    const { out } = await run(args, { PUBLIC_BASE_URL: 'https://push.example.org' });
    const printed = JSON.parse(out);
    expect(printed).toEqual({
      url: expect.stringMatching(/^https:\/\/push\.example\.org\/invitations#/),
      role: 'admin',
      is_new_user: false,
      expires_at: expect.any(String),
    });
    expect((await accept(printed.url)).json().data.user.id).toBe(person.userId);
    expect((await browser.account('GET', '/me')).statusCode).toBe(401);
    expect((await logIn(api.app, person.email)).statusCode).toBe(401);
    expect((await logIn(api.app, person.email, NEW_PASSWORD)).statusCode).toBe(200);
    const tokens = await api.app.inject({ url: '/api/v1/client/apps', headers: bearer(person.token) });
    expect(tokens.statusCode).toBe(200);
  });

  it.each([
    [
      'an address that is none',
      ['invite', '--email', 'ada', '--organization', 'X'],
      /"ada" is not an e-mail address/,
    ],
    [
      'another organization than the user’s',
      ['invite', '--email', 'ada@example.com', '--organization', 'Other'],
      /belongs to the organization "Example News", not "Other"/,
    ],
    [
      'another role than the user’s',
      inviteArgs('ada@example.com', '--role', 'super-admin'),
      /exists with the role admin, not super-admin/,
    ],
  ])('invite refuses %s in one line', async (_what, args, line) => {
    const { code, out, err } = await run(args);
    expect([code, out, err.trim().split('\n')]).toEqual([1, '', [expect.stringMatching(line)]]);
  });

  it('list shows the users who may log in, also as JSON', async () => {
    const { out } = await run(['list', '--organization', 'Example News']);
    expect(out).toMatch(
      /^E-MAIL +ROLE +ON APPS +ORGANIZATION +NAME +LOG-IN\n.*\nada@example\.com +admin +Example News +Ada +password\n$/,
    );
    const lines = (await run(['list', '--json'])).out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual({
      id: expect.any(Number),
      email: 'ada@example.com',
      name: 'Ada',
      role: 'admin',
      grants: [],
      organization: 'Example News',
      has_password: true,
    });
  });

  it('shows examples in the help', async () => {
    for (const command of ['invite', 'list', 'grant']) {
      const { code, out } = await run([command, '--help']);
      expect([code, out]).toEqual([0, expect.stringContaining('Examples:\n  broadside user')]);
    }
  });
});

it('the first start makes a super-admin with a link to set a password, once, and no token', async () => {
  const admin = await createFirstAdmin(api.database, 'http://127.0.0.1:8080');
  if (admin === null) throw new Error('no super-admin was made');
  expect(admin.isNew).toBe(true);
  expect(
    await api.database.query(`SELECT 1 FROM api_tokens JOIN users ON users.id = user_id WHERE email = $1`, [
      admin.email,
    ]),
  ).toEqual([]);
  // Every further start replaces an unused link.
  const again = await createFirstAdmin(api.database, 'http://127.0.0.1:8080');
  expect(again).toMatchObject({ email: admin.email, isNew: false });
  expect((await accept(admin.passwordUrl)).statusCode).toBe(404);
  const accepted = await accept(again?.passwordUrl ?? '');
  expect(accepted.json().data.user).toMatchObject({ email: admin.email, role: 'super-admin' });
  expect((await logIn(api.app, admin.email, NEW_PASSWORD)).statusCode).toBe(200);
  expect(await createFirstAdmin(api.database, 'http://127.0.0.1:8080')).toBeNull();
});
