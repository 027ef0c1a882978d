// tier: system
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT, startTestProvider, type TestProvider } from '../../../support/openid-provider/start.ts';
import { createTestApi, type TestApi } from '../../support.ts';
import { createPerson, type Person } from '../support.ts';
import { CALLBACK, callbackOf, providerHands } from './provider-hands.ts';

/**
 * The installation's genuine provider, and an organization whose admin runs an evil one (RFC 9700, section 4.4): it
 * sends whoever begins a log-in there on to the genuine one, which sends them back with a code of its own.
 */
describe('a browser that an evil provider sends on to the installation’s', () => {
  let genuine: TestProvider;
  let evil: TestProvider;
  let api: TestApi;
  let victim: Person;
  let evilKey: string;
  let evilOrganization: number;
  const there = providerHands(() => ({ api, provider: genuine }));
  const evilThere = providerHands(() => ({ api, provider: evil }));
  beforeAll(async () => {
    genuine = await startTestProvider({ redirectUris: [CALLBACK] });
    evil = await startTestProvider({ redirectUris: [CALLBACK, callbackOf('*')] });
    api = await createTestApi({
      config: {
        oidcPrivateHosts: [new URL(genuine.issuer).host, new URL(evil.issuer).host],
        oidcIssuer: genuine.issuer,
        oidcName: 'Example ID',
        oidcClientId: CLIENT.id,
        oidcClientSecret: CLIENT.secret,
      },
    });
    victim = await createPerson(api.database, { role: 'super-admin' });
    const evilOne = await evilThere.organization({ name: 'Evil press' });
    evilKey = evilOne.key;
    evilOrganization = evilOne.boss.organizationId;
  });
  afterEach(async () => {
    await evil.control({ leadsTo: null, silent: false });
    await genuine.control({ silent: false });
  });
  afterAll(async () => {
    await api.close();
    await Promise.all([genuine.stop(), evil.stop()]);
  });

  /** The attacker's own log-in by the installation's provider, whose challenge and nonce the victim's code will fit. */
  async function attack(redirectUri: string) {
    const own = await there.begin('installation');
    const to = new URL(own.json().data.url);
    const state = to.searchParams.get('state') ?? '';
    to.searchParams.set('redirect_uri', redirectUri);
    await evil.control({ leadsTo: to.href });
    await genuine.control({ account: there.accountOf(victim.email) });
    return { state, cookie: `broadside_provider=${there.cookiesOf(own).broadside_provider}` };
  }
  const codeIn = (url: string) => new URL(url).searchParams.get('code');

  it.each([
    ['says who it is', false],
    ['does not say who it is', true],
  ])('keeps the code of one that %s', async (_what, silent) => {
    await genuine.control({ silent });
    const attacker = await attack(CALLBACK);
    const atEvil = await evilThere.toProvider(evilKey);
    const back = await genuine.visit(atEvil.back);
    expect(back).toMatch(new RegExp(`^${CALLBACK}[?]`));
    expect([codeIn(back) === null, back.includes('iss=')]).toEqual([false, !silent]);
    const mine = { cookie: atEvil.cookie, back };
    expect(there.problemOf(await there.comeBack(mine))).toEqual(there.refused('wrong'));
    expect(await evil.control({})).toEqual([]);
    // The begun log-in is over, at its own address too.
    const atOwn = back.replace(CALLBACK, callbackOf(evilOrganization));
    expect(there.problemOf(await there.comeBack({ ...mine, back: atOwn }))).toEqual(there.refused('over'));
    expect(await evil.control({})).toEqual([]);
    expect(attacker.state).not.toBe('');
  });

  it('is refused by the genuine one where it names another provider’s address', async () => {
    await attack(callbackOf(evilOrganization));
    const atEvil = await evilThere.toProvider(evilKey);
    await expect(genuine.visit(atEvil.back)).rejects.toThrow('the provider answered 400');
    expect(await evil.control({})).toEqual([]);
  });

  it('hands no code to the other provider where an answer comes to the wrong address, either way round', async () => {
    await genuine.control({ account: there.accountOf(victim.email), silent: true });
    const begun = await there.toProvider('installation');
    const wrong = begun.back.replace(CALLBACK, callbackOf(evilOrganization));
    expect(there.problemOf(await there.comeBack({ ...begun, back: wrong }))).toEqual(there.refused('wrong'));
    expect(there.problemOf(await there.comeBack(begun))).toEqual(there.refused('over'));
    await evil.control({ account: there.accountOf('nobody@example.com') });
    const own = await evilThere.toProvider(evilKey);
    for (const other of [CALLBACK, callbackOf(evilOrganization + 1), callbackOf(2_147_483_647)]) {
      const again = await evilThere.toProvider(evilKey);
      const back = again.back.replace(callbackOf(evilOrganization), other);
      expect(there.problemOf(await there.comeBack({ ...again, back }))).toEqual(there.refused('wrong'));
    }
    expect(there.problemOf(await there.comeBack(own))).toEqual(there.refused('unknown'));
  });

  it('lets in nobody with a code, a state or an issuer of another log-in', async () => {
    await genuine.control({ account: there.accountOf(victim.email), silent: true });
    const mine = async () => there.toProvider('installation');
    const changed = async (change: (url: URL, other: URL) => void) => {
      const [own, other] = [await mine(), await mine()];
      const url = new URL(own.back);
      change(url, new URL(other.back));
      return there.problemOf(await there.comeBack({ cookie: own.cookie, back: url.href }));
    };
    const take = (name: string) => (url: URL, other: URL) =>
      url.searchParams.set(name, other.searchParams.get(name) ?? '');
    // A code that was injected: PKCE and the nonce are of the other log-in.
    expect(await changed(take('code'))).toEqual(there.refused('wrong'));
    expect(await changed(take('state'))).toEqual(there.refused('wrong'));
    expect(await changed((url) => url.searchParams.set('iss', evil.issuer))).toEqual(there.refused('wrong'));
    expect(await changed((url) => url.searchParams.delete('state'))).toEqual(there.refused('wrong'));
    // With nothing changed it is the super-admin, whom the installation's provider may log in.
    expect((await there.meOf(await there.comeBack(await mine()))).me.user.id).toBe(victim.userId);
  });

  it('may not be named like the installation’s, nor shown under such a name', async () => {
    const admin = await evilThere.organization({ name: 'Keycloak' });
    const refused = await evilThere.save(admin.admin, { name: 'EХАMPLE iD' });
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['name']]);
    await api.database.query(`UPDATE identity_providers SET name = 'example id' WHERE key = $1`, [admin.key]);
    const [{ name } = { name: '' }] = await api.database.query<{ name: string }>(
      `SELECT name FROM organizations WHERE id = $1`,
      [admin.boss.organizationId],
    );
    const offered = await api.app.inject({
      method: 'POST',
      url: '/api/v1/account/log-in/providers',
      payload: { organization: admin.key },
    });
    expect(offered.json().data).toEqual([
      { key: admin.key, name, organization: name },
      { key: 'installation', name: 'Example ID', organization: null },
    ]);
  });

  it('lets in nobody of two log-ins in one browser but by the later one', async () => {
    await genuine.control({ account: there.accountOf(victim.email), silent: true });
    const first = await evilThere.toProvider(evilKey);
    const second = await there.toProvider('installation');
    // The cookie of the second replaced that of the first.
    const mixed = { cookie: second.cookie, back: first.back };
    expect(there.problemOf(await there.comeBack(mixed))).toEqual(there.refused('wrong'));
    expect(there.problemOf(await there.comeBack(second))).toEqual(there.refused('over'));
    const third = await there.toProvider('installation');
    expect((await there.meOf(await there.comeBack(third))).me.user.id).toBe(victim.userId);
  });
});

describe('a session that an organization’s provider began', () => {
  let evil: TestProvider;
  let api: TestApi;
  const hands = providerHands(() => ({ api, provider: evil }));
  beforeAll(async () => {
    evil = await startTestProvider({ redirectUris: [callbackOf('*')] });
    api = await createTestApi({ config: { oidcPrivateHosts: [new URL(evil.issuer).host] } });
  });
  afterAll(async () => {
    await api.close();
    await evil.stop();
  });

  it.each([
    ['rises to super-admin', (id: number) => `UPDATE users SET role = 'super-admin' WHERE id = ${id}`],
    [
      'is another organization’s',
      (id: number) =>
        `WITH other AS (INSERT INTO organizations (name) VALUES ('other ${id}') RETURNING id)
         UPDATE users SET organization_id = other.id FROM other WHERE users.id = ${id}`,
    ],
  ])('ends at the next request where its user %s', async (_what, change) => {
    const { boss, key } = await hands.organization();
    const person = await createPerson(api.database, { role: 'member', organizationId: boss.organizationId });
    const { browser } = await hands.meOf(await hands.logInBy(key, hands.accountOf(person.email)));
    await api.database.query(change(person.userId));
    expect((await browser.account('GET', '/me')).statusCode).toBe(401);
    expect((await browser.client('GET', '/apps')).statusCode).toBe(401);
  });
});
