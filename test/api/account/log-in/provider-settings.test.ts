// tier: system
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { checkProviders } from '../../../../api/cli/doctor/providers.ts';
import { CLIENT, type TestProvider } from '../../../support/openid-provider/start.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';
import { createTestApi, MASTER_KEY, type TestApi } from '../../support.ts';
import { type Browser, browserOf, createPerson, openBrowser, PASSWORD, type Person } from '../support.ts';
import { callbackOf, providerHands, providerTests } from './provider-hands.ts';

describe('an OpenID provider', () => {
  let api: TestApi;
  let provider: TestProvider;
  let boss: Person;
  let admin: Browser;
  let key: string;
  const {
    save,
    domains,
    accountOf,
    begin,
    toProvider,
    comeBack,
    logInBy,
    problemOf,
    refused,
    meOf,
    audited,
  } = providerTests((of) => {
    ({ api, provider, boss, admin, key } = of);
  });

  it('ends the sessions that it began where it is switched off, replaced or removed, and no others', async () => {
    const open = async () => (await meOf(await logInBy(key, accountOf(boss.email)))).browser;
    const ended = async (browser: Browser) => (await browser.account('GET', '/me')).statusCode;
    const first = await open();
    const begun = await toProvider(key);
    await save(admin, { enabled: false, client_secret: undefined });
    expect([await ended(first), await ended(admin)]).toEqual([401, 200]);
    expect(problemOf(await comeBack(begun))).toEqual(refused('over'));
    expect((await begin(key)).statusCode).toBe(404);
    await save(admin);
    const second = await open();
    // Another issuer gets neither the secret of the one before, nor its people.
    expect(
      (await save(admin, { issuer: 'https://evil.example', client_secret: undefined })).json().errors,
    ).toEqual({
      client_secret: ['The client_secret field is required for another issuer or client.'],
    });
    expect(await ended(second)).toBe(200);
    await save(admin, { issuer: 'https://evil.example' });
    expect(await ended(second)).toBe(401);
    expect(
      await api.database.query(`SELECT FROM provider_identities WHERE user_id = $1`, [boss.userId]),
    ).toEqual([]);
    await save(admin);
    const third = await open();
    const remove = (current_password: string) =>
      admin.account('POST', '/provider/remove', { current_password });
    expect((await remove('not the password')).statusCode).toBe(422);
    expect((await remove(PASSWORD)).statusCode).toBe(204);
    expect([await ended(third), await ended(admin)]).toEqual([401, 200]);
    expect((await admin.account('GET', '/provider')).json().data.provider).toBeNull();
    expect(await audited(boss.organizationId, 'provider.removed')).toEqual([{ name: 'Example ID' }]);
  });

  it('is set by admins of the organization with their password, and shows its secret to nobody', async () => {
    expect((await save(admin, { current_password: 'not the password' })).statusCode).toBe(422);
    const member = await openBrowser(
      api.app,
      await createPerson(api.database, { role: 'member', organizationId: boss.organizationId }),
    );
    expect((await save(member)).statusCode).toBe(403);
    expect((await save(admin, { organization_id: 1 })).statusCode).toBe(422);
    const read = await admin.account('GET', '/provider');
    expect(read.json().data).toMatchObject({
      redirect_uri: callbackOf(boss.organizationId),
      provider: { issuer: provider.issuer },
    });
    const kept = await api.database.query<{ text: string }>(
      `SELECT (SELECT string_agg(p::text, '') FROM identity_providers p)
         || (SELECT string_agg(to_jsonb(a)::text, '') FROM audit_log a) AS text`,
    );
    for (const text of [read.body, kept[0]?.text]) {
      expect(text).not.toContain(CLIENT.secret);
      expect(text).not.toContain(Buffer.from(CLIENT.secret).toString('hex'));
    }
  });

  const named = (id: number) =>
    api.database.query<{ name: string }>(`SELECT name FROM organizations WHERE id = $1`, [id]);

  it('is offered by the domain of an address or the organization’s log-in address, and else to nobody', async () => {
    const mine = `offered-${boss.userId}.example`;
    await domains(boss.organizationId, [mine]);
    const [organization = ''] = (await named(boss.organizationId)).map(({ name }) => name);
    const offered = { key, name: 'Example ID', organization };
    const ask = async (payload: object) =>
      (await api.app.inject({ method: 'POST', url: '/api/v1/account/log-in/providers', payload })).json()
        .data;
    expect(await ask({ email: `anybody@${mine.toUpperCase()}` })).toEqual([offered]);
    expect(await ask({ organization: key })).toEqual([offered]);
    for (const payload of [{}, { email: boss.email }, { organization: String(boss.organizationId) }])
      expect(await ask(payload)).toEqual([]);
  });

  it('has a trial that names what is wrong', async () => {
    const faults = async (changes: object) => {
      await save(admin, changes);
      const tried = (await admin.account('POST', '/provider/try', {})).json().data.faults;
      return tried.map(({ code }: { code: string }) => code);
    };
    expect(await faults({})).toEqual([]);
    expect(await faults({ client_secret: 'another one' })).toEqual(['wrong-client']);
    expect(await faults({ client_id: 'unknown' })).toEqual(['wrong-client', 'redirect-uri']);
    expect(await faults({ issuer: `${provider.issuer}/elsewhere` })).toEqual(['no-discovery']);
    // A private address that the operator did not name looks like one where nobody answers.
    expect(await faults({ issuer: 'http://127.0.0.1:9' })).toEqual(['unreachable']);
    expect(await faults({ issuer: 'https://169.254.169.254' })).toEqual(['unreachable']);
    const elsewhere = await createTestApi({
      database: api.database,
      config: {
        oidcPrivateHosts: [new URL(provider.issuer).host],
        publicBaseUrl: 'https://push.example.org',
      },
    });
    await save(admin);
    const cookie = admin.cookie.replace('broadside_', '__Host-broadside_');
    const other = browserOf(elsewhere.app, cookie, admin.csrf);
    const tried = (await other.account('POST', '/provider/try', {})).json().data.faults;
    expect(tried).toEqual([
      { code: 'redirect-uri', message: expect.stringContaining('Register the redirect URI'), detail: null },
    ]);
    await elsewhere.close();
  });

  it('of the installation logs in users of every organization, and makes some where the settings say so', async () => {
    const [own] = await named(boss.organizationId);
    const wide = await createTestApi({
      database: api.database,
      config: {
        oidcPrivateHosts: [new URL(provider.issuer).host],
        oidcIssuer: provider.issuer,
        oidcName: 'Everyone’s ID',
        oidcClientId: CLIENT.id,
        oidcClientSecret: CLIENT.secret,
        oidcNewUsersIn: own?.name ?? '',
        oidcEmailDomains: ['Made.example'],
      },
    });
    const there = providerHands(() => ({ api: wide, provider }));
    try {
      const offered = await wide.app.inject({
        method: 'POST',
        url: '/api/v1/account/log-in/providers',
        payload: {},
      });
      expect(offered.json().data).toEqual([
        { key: 'installation', name: 'Everyone’s ID', organization: null },
      ]);
      const login = (email: string) => there.logInBy('installation', accountOf(email));
      const other = await createPerson(api.database);
      const operator = await createPerson(api.database, { role: 'super-admin' });
      for (const { email, userId } of [boss, other, operator])
        expect((await there.meOf(await login(email))).me.user.id).toBe(userId);
      expect(problemOf(await login('nobody@example.com'))).toEqual(refused('unknown'));
      expect((await there.meOf(await login(`${boss.userId}@made.example`))).me.organization.id).toBe(
        boss.organizationId,
      );
    } finally {
      await wide.close();
    }
  });

  it('is tried by the doctor', async () => {
    const look = (environment: Readonly<Record<string, string>>) =>
      checkProviders(environment, api.database, { current: MASTER_KEY, old: [] });
    await api.database.query(`DELETE FROM identity_providers WHERE organization_id <> $1`, [
      boss.organizationId,
    ]);
    const host = new URL(provider.issuer).host;
    const environment = { OIDC_PRIVATE_HOSTS: host, PUBLIC_BASE_URL: 'http://localhost' };
    expect(await look(environment)).toEqual([
      expect.objectContaining({ state: 'ok', text: expect.stringContaining(provider.issuer) }),
    ]);
    expect(await look({ ...environment, PUBLIC_BASE_URL: 'https://elsewhere.example' })).toEqual([
      expect.objectContaining({ state: 'problem', mend: expect.stringContaining('redirect URI') }),
    ]);
    const wide = {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: 'another one',
    };
    expect((await look({ ...environment, ...wide })).map(({ state }) => state)).toEqual(['problem', 'ok']);
    // Without the setting it is a private address, which nobody asks.
    expect((await look({})).map(({ text }) => text)).toEqual([expect.stringContaining('unreachable')]);
    await api.database.query(`DELETE FROM identity_providers`);
    expect((await look({})).map(({ state }) => state)).toEqual(['skipped']);
  });

  it('is unlinked from a user by the operator’s command, once', async () => {
    const login = () => logInBy(key, { ...accountOf(boss.email), sub: 'the next one' });
    await meOf(await logInBy(key, accountOf(boss.email)));
    expect(problemOf(await login())).toEqual(refused('linked'));
    const run = () =>
      runCliHere(
        ['user', 'unlink-provider', '--email', boss.email, '--database', api.databaseUrl, '--json'],
        { cwd: tmpdir(), env: {} },
      );
    const { out, code } = await run();
    expect([JSON.parse(out), code]).toEqual([{ email: boss.email }, 0]);
    expect((await run()).code).toBe(1);
    await meOf(await login());
    expect(await audited(boss.organizationId, 'user.provider-unlinked')).toEqual([{ email: boss.email }]);
  });
});
