// tier: system
import { describe, expect, it } from 'vitest';
import type { Account, Tamper } from '../../../support/openid-provider/control.ts';
import { CLIENT, type TestProvider } from '../../../support/openid-provider/start.ts';
import { buildFactor, codeOf } from '../../../support/second-factor.ts';
import type { TestApi } from '../../support.ts';
import { type Browser, browserOf, createPerson, logIn, type Person } from '../support.ts';
import { providerTests } from './provider-hands.ts';

describe('a log-in by an OpenID provider', () => {
  let api: TestApi;
  let provider: TestProvider;
  let boss: Person;
  let admin: Browser;
  let key: string;
  const {
    save,
    organization,
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
    cookiesOf,
  } = providerTests((of) => {
    ({ api, provider, boss, admin, key } = of);
  });

  it('lets in a user whose verified address it has, and knows the person by their subject from then on', async () => {
    const account = accountOf(boss.email.toUpperCase());
    const answer = await logInBy(key, account, { back: '/apps?page=2' });
    expect(answer.headers.location).toBe('http://localhost/dashboard/apps?page=2');
    const { me, browser } = await meOf(answer);
    expect(me.user).toMatchObject({ id: boss.userId, role: 'admin' });
    // It is a session like any other: listed, and ended one by one.
    const listed = (await browser.account('GET', '/sessions')).json().data;
    expect(listed).toHaveLength(2);
    const own = listed.find(({ current }: { current: boolean }) => current);
    expect((await admin.account('DELETE', `/sessions/${own.id}`)).statusCode).toBe(204);
    expect((await browser.account('GET', '/me')).statusCode).toBe(401);
    // Another address later, not even verified: the subject is the person.
    const moved = { ...account, claims: { email: 'elsewhere@example.net', email_verified: false } };
    expect((await meOf(await logInBy(key, moved))).me.user.id).toBe(boss.userId);
    expect(await audited(boss.organizationId, 'user.provider-linked')).toEqual([
      { provider: 'Example ID', issuer: provider.issuer },
    ]);
    expect((await audited(boss.organizationId, 'user.logged-in')).at(-1)).toEqual({ by: 'provider' });
  });

  it('refuses what another browser began, what comes twice and what comes without a beginning', async () => {
    await provider.control({ account: accountOf(boss.email) });
    const mine = await toProvider(key);
    const other = await toProvider(key);
    // The code of one log-in in the browser of another: its state is wrong.
    expect(problemOf(await comeBack({ cookie: other.cookie, back: mine.back }))).toEqual(refused('wrong'));
    expect((await meOf(await comeBack(mine))).me.user.id).toBe(boss.userId);
    expect(problemOf(await comeBack(mine))).toEqual(refused('over'));
    expect(problemOf(await comeBack({ cookie: '', back: mine.back }))).toEqual(refused('over'));
    const late = await toProvider(key);
    await api.database.query(`UPDATE provider_log_ins SET expires_at = now()`);
    expect(problemOf(await comeBack(late))).toEqual(refused('over'));
  });

  it('refuses a code that was used, which the provider then says', async () => {
    await provider.control({ account: accountOf(boss.email) });
    const mine = await toProvider(key);
    const kept = await api.database.query<object>(
      `SELECT * FROM provider_log_ins ORDER BY expires_at DESC LIMIT 1`,
    );
    await meOf(await comeBack(mine));
    await api.database.query(
      `INSERT INTO provider_log_ins SELECT * FROM jsonb_populate_record(NULL::provider_log_ins, $1)`,
      [JSON.stringify({ ...kept[0], secret_hash: `\\x${hexOf(kept[0])}` })],
    );
    expect(problemOf(await comeBack(mine))).toEqual(refused('wrong'));
  });
  const hexOf = (row: unknown): string => (row as { secret_hash: Buffer }).secret_hash.toString('hex');

  it.each<Exclude<Tamper, null>>(['nonce', 'audience', 'issuer', 'expired', 'signature'])(
    'refuses an ID token whose %s is wrong',
    async (tamper) => {
      await provider.control({ tamper });
      expect(problemOf(await logInBy(key, accountOf(boss.email)))).toEqual(refused('wrong'));
      await provider.control({ tamper: null });
      await meOf(await logInBy(key, accountOf(boss.email)));
    },
  );

  it('goes on when the provider has new keys', async () => {
    await meOf(await logInBy(key, accountOf(boss.email)));
    await provider.control({ rotate: true });
    await meOf(await logInBy(key, accountOf(boss.email)));
  });

  it('refuses people without a verified address, unknown ones, and a second person with one address', async () => {
    const { organizationId } = boss;
    const login = async (account: Account) => problemOf(await logInBy(key, account));
    for (const email_verified of [false, undefined, 'true'])
      expect(await login(accountOf(boss.email, { email_verified }))).toEqual(refused('unverified'));
    expect(await login({ sub: 'without', claims: {} })).toEqual(refused('no-email'));
    expect(await login(accountOf('nobody@example.com'))).toEqual(refused('unknown'));
    await meOf(await logInBy(key, accountOf(boss.email)));
    expect(await login({ ...accountOf(boss.email), sub: 'the next one' })).toEqual(refused('linked'));
    expect(await audited(organizationId, 'provider.log-in-refused')).toHaveLength(6);
  });

  it('never opens an account of another organization, or of an operator, whatever it claims', async () => {
    const foreign = await createPerson(api.database);
    const operator = await createPerson(api.database, {
      role: 'super-admin',
      organizationId: boss.organizationId,
    });
    await save(admin, { makes_users: true });
    await domains(boss.organizationId, ['example.com']);
    for (const { email } of [foreign, operator])
      expect(problemOf(await logInBy(key, accountOf(email)))).toEqual(refused('unknown'));
    // Not one who was linked and rose, either.
    const rising = await createPerson(api.database, { organizationId: boss.organizationId });
    await meOf(await logInBy(key, accountOf(rising.email)));
    await api.database.query(`UPDATE users SET role = 'super-admin' WHERE id = $1`, [rising.userId]);
    expect(problemOf(await logInBy(key, accountOf(rising.email)))).toEqual(refused('unknown'));
    await api.database.query(`UPDATE users SET role = 'member' WHERE role = 'super-admin'`);
    // The same person of the same provider is somebody else for another organization.
    const other = await organization();
    expect(problemOf(await logInBy(other.key, accountOf(boss.email)))).toEqual(refused('unknown'));
    expect(await audited(foreign.organizationId, 'provider.log-in-refused')).toEqual([]);
  });

  it('makes users where the organization allows it, of the domains that an operator named', async () => {
    const mine = `${boss.userId}.example`;
    const email = `ada@${mine}`;
    await save(admin, { makes_users: true });
    expect(problemOf(await logInBy(key, accountOf(email)))).toEqual(refused('unknown'));
    expect((await save(admin, { email_domains: [mine] })).json().errors).toEqual({
      email_domains: ['The email_domains field may be given by super-admins only.'],
    });
    await domains(boss.organizationId, [mine]);
    expect(problemOf(await logInBy(key, accountOf(`ada@other.${mine}`)))).toEqual(refused('unknown'));
    const { me, browser } = await meOf(await logInBy(key, accountOf(email)));
    expect(me).toMatchObject({
      user: { email, name: 'Ada', role: 'member' },
      organization: { id: boss.organizationId },
      has_password: false,
    });
    expect(await audited(boss.organizationId, 'user.created')).toHaveLength(1);
    // Without a password, a log-in of just now is as good for setting up a second factor.
    const set = () => browser.account('POST', '/me/second-factor', {});
    expect((await set()).statusCode).toBe(201);
    await api.database.query(`UPDATE sessions SET created_at = now() - interval '11 minutes'`);
    expect((await set()).json().errors.current_password[0]).toContain('log in anew');
    await save(admin, { makes_users: false });
    await api.database.query(`DELETE FROM users WHERE id = $1`, [me.user.id]);
    expect(problemOf(await logInBy(key, accountOf(email)))).toEqual(refused('unknown'));
  });

  it('gives roles by groups, anew at each log-in, and leaves an organization its last admin', async () => {
    const colleague = await createPerson(api.database, {
      role: 'member',
      organizationId: boss.organizationId,
    });
    await save(admin, { admin_groups: ['chiefs'], member_groups: ['desk'] });
    const as = (email: string, groups: unknown) => logInBy(key, accountOf(email, { groups }));
    const role = async (groups: unknown, email = colleague.email) =>
      (await meOf(await as(email, groups))).me.user.role;
    expect(await role(['desk', 'chiefs'])).toBe('admin');
    expect(await role('desk')).toBe('member');
    expect(problemOf(await as(colleague.email, ['others']))).toEqual(refused('no-group'));
    expect(problemOf(await as(colleague.email, { desk: true }))).toEqual(refused('no-group'));
    expect(await role(['desk'], boss.email)).toBe('admin');
    expect(await role(['chiefs'])).toBe('admin');
    expect(await role(['desk'], boss.email)).toBe('member');
    expect(await audited(boss.organizationId, 'user.role-changed')).toHaveLength(4);
  });

  it('asks for the second factor of here, whatever the provider asked for', async () => {
    const secret = await buildFactor(api.database, boss.userId);
    const answer = await logInBy(key, accountOf(boss.email, { amr: ['mfa'] }), { back: '/apps' });
    expect(answer.headers.location).toBe('http://localhost/dashboard/log-in?step=code&back=%2Fapps');
    const { broadside_log_in, ...others } = cookiesOf(answer);
    expect(others).toEqual({});
    const complete = async (code: string) =>
      api.app.inject({
        method: 'POST',
        url: '/api/v1/account/log-in/code',
        headers: { cookie: `broadside_log_in=${broadside_log_in}` },
        payload: { code },
      });
    expect((await complete('000000')).statusCode).toBe(422);
    const completed = await complete(await codeOf(secret));
    expect([completed.statusCode, completed.json().data.user.id]).toEqual([200, boss.userId]);
    const cookie = `broadside_session=${cookiesOf(completed).broadside_session}`;
    const browser = browserOf(api.app, cookie, completed.json().data.csrf_token);
    expect((await browser.account('POST', '/log-out')).json().data.log_out_url).toContain(provider.issuer);
  });

  it('holds up people of an organization that requires a second factor until they set one up', async () => {
    const member = await createPerson(api.database, {
      role: 'member',
      organizationId: boss.organizationId,
    });
    await admin.account('PUT', '/second-factor', { required: true });
    const { me, browser } = await meOf(await logInBy(key, accountOf(member.email, { amr: ['mfa'] })));
    expect(me.second_factor).toBe('required');
    expect((await browser.client('GET', '/apps')).statusCode).toBe(403);
  });

  it('ends the session here and then at the provider, which leads back to the log-in page', async () => {
    const { browser } = await meOf(await logInBy(key, accountOf(boss.email)));
    const out = await browser.account('POST', '/log-out');
    expect(out.statusCode).toBe(200);
    expect((await browser.account('GET', '/me')).statusCode).toBe(401);
    const url = new URL(out.json().data.log_out_url);
    expect(`${url.origin}${url.pathname}`).toBe(`${provider.issuer}/session/end`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT.id,
      id_token_hint: expect.stringMatching(/^ey/),
      post_logout_redirect_uri: 'http://localhost/dashboard/log-in',
    });
    // It takes both: an unknown page of ours or a token of another client is answered 400.
    expect((await fetch(url)).status).toBe(200);
    expect((await admin.account('POST', '/log-out')).statusCode).toBe(204);
  });

  it('that is away says so, and the password opens the door as before', async () => {
    await provider.control({ account: accountOf(boss.email) });
    const begun = await toProvider(key);
    await provider.stop();
    const answer = await begin(key);
    expect([answer.statusCode, answer.json()]).toEqual([
      502,
      { message: 'The provider does not answer. Try again later, or log in with your password.' },
    ]);
    expect(problemOf(await comeBack(begun))).toEqual(refused('away'));
    expect((await logIn(api.app, boss.email)).statusCode).toBe(200);
  });
});
