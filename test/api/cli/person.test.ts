// tier: postgres
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appIdOf, insertSubscriptions } from '../../support/subscriptions.ts';
import { appBody, callAs, createMember, createTestApi } from '../support.ts';

it('a person is exported, erased after a check, and the receipt can be asked again', async () => {
  const api = await createTestApi();
  const folder = await mkdtemp(join(tmpdir(), 'broadside-person-'));
  try {
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
    const member = await createMember(api.database);
    const { identifier } = (await callAs(api.app, member)('POST', '/apps', appBody())).json().data;
    await insertSubscriptions(api.database, await appIdOf(api.database, identifier), [
      { user_identity: 'ada', external_ids: { account: 'a=1' } },
      { user_identity: 'ada' },
      { user_identity: 'other' },
    ]);
    const person = (...args: string[]) =>
      runCliHere(['person', ...args, '--app', identifier], {
        cwd: folder,
        env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token },
      });
    const left = async () =>
      (await api.database.query<{ user_identity: string }>('SELECT user_identity FROM subscriptions')).map(
        (row) => row.user_identity,
      );

    const out = join(folder, 'ada.json');
    expect((await person('export', '--user-id', 'ada', '--out', out)).out).toBe(`${out}\n`);
    expect(JSON.parse(await readFile(out, 'utf8')).subscriptions).toHaveLength(2);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect((await person('export', '--user-id', 'ada', '--out', out)).err).toMatch(
      /^broadside: cannot write /,
    );

    const look = await person('erase', '--external-id', 'account=a=1');
    expect(look.out).toBe('1 subscription with 0 attempts and 0 events. Nothing is erased yet: add --yes.\n');
    expect(await left()).toHaveLength(3);
    const erased = await person('erase', '--user-id', 'ada', '--yes');
    expect(erased.out).toMatch(/^Receipt 1: 2 subscriptions, running, complete by 20/);
    expect(erased.out).toMatch(/^ {2}clickhouse: erasing\. /m);
    expect(erased.out).toMatch(/^What remains:$/m);
    expect(await left()).toEqual(['other']);
    expect(JSON.parse((await person('receipt', '1', '--json')).out)).toMatchObject({
      id: 1,
      state: 'running',
    });

    expect((await person('erase', '--yes')).err).toContain('exactly one of --user-id, --external-id');
    expect((await person('export', '--external-id', 'account')).err).toContain('takes name=value');
  } finally {
    await rm(folder, { recursive: true, force: true });
    await api.close();
  }
});
