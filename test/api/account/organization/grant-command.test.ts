// tier: postgres
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCliHere } from '../../../support/run-cli-here.ts';
import { appBody, callAs, openTestApi } from '../../support.ts';
import { createPerson } from '../support.ts';

describe('broadside user grant', async () => {
  const api = await openTestApi();
  const folder = await mkdtemp(join(tmpdir(), 'broadside-grants-'));
  const boss = await createPerson(api.database);
  await api.database.query(`UPDATE organizations SET name = 'Example News' WHERE id = $1`, [
    boss.organizationId,
  ]);
  const call = callAs(api.app, boss);
  const apps = [
    (await call('POST', '/apps', appBody())).json().data.identifier,
    (await call('POST', '/apps', appBody())).json().data.identifier,
  ];
  afterAll(() => rm(folder, { recursive: true }));
  const run = (...args: readonly string[]) =>
    runCliHere(['user', ...args], { cwd: folder, env: { DATABASE_URL: api.databaseUrl } });

  it('gives and takes a role on an app, and leaves the others', async () => {
    const [one = '', other = ''] = apps;
    const { email } = await createPerson(api.database, {
      role: 'guest',
      organizationId: boss.organizationId,
    });
    const give = ['grant', '--email', email, '--grant'];
    await run(...give, `${one}=author`);
    const both = await run(...give, `${other}=admin`, '--json');
    expect(JSON.parse(both.out)).toEqual({
      email,
      grants: [
        { app: one, role: 'author' },
        { app: other, role: 'admin' },
      ],
    });
    const left = await run(...give, `${one}=none`);
    expect([left.code, left.err]).toEqual([0, `${email}: ${other} admin. From the next request on.\n`]);
    const listed = (await run('list', '--json')).out.trim().split('\n');
    expect(listed.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ email, role: 'guest', grants: [{ app: other, role: 'admin' }] }),
    );
    const rows = await api.database.query(
      `SELECT via, detail->>'to' AS to FROM audit_log WHERE action = 'user.grants-changed' ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ via: 'command', to: `${other}: admin` }]);
  });

  it.each([
    [
      'an app that there is not',
      ['nowhere=author'],
      /has no app of one of these identifiers: see broadside apps list/,
    ],
    [
      'a role that there is not',
      ['a=king'],
      /--grant a=king: write example-sports-k7m2pq=author, with one of/,
    ],
  ])('refuses %s in one line', async (_what, grants, line) => {
    const { code, err } = await run('grant', '--email', boss.email, '--grant', ...grants);
    expect([code, err.trim().split('\n')]).toEqual([1, [expect.stringMatching(line)]]);
  });

  it('invites with roles on apps', async () => {
    const [one = ''] = apps;
    const who = ['--email', 'grace@example.com', '--organization', 'Example News', '--role', 'guest'];
    const invited = await run('invite', ...who, '--grant', `${one}=author`, '--json');
    expect(JSON.parse(invited.out)).toMatchObject({ role: 'guest', is_new_user: true });
    const rows = await api.database.query(`SELECT grants FROM invitations WHERE email = 'grace@example.com'`);
    expect(rows).toEqual([{ grants: { [String(await idOf(one))]: 'author' } }]);
  });

  const idOf = async (identifier: string) =>
    (await api.database.query<{ id: number }>(`SELECT id FROM apps WHERE identifier = $1`, [identifier]))[0]
      ?.id;
});
