import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Account } from '../../../support/openid-provider/control.ts';
import { CLIENT, startTestProvider, type TestProvider } from '../../../support/openid-provider/start.ts';
import { createTestApi, type TestApi } from '../../support.ts';
import { type Browser, browserOf, createPerson, openBrowser, PASSWORD, type Person } from '../support.ts';

const LOG_IN = 'http://localhost/api/v1/account/log-in';
/** Where a provider of the installation sends people back to, and that of an organization. */
export const CALLBACK = `${LOG_IN}/callback`;
export const callbackOf = (organizationId: number | '*'): string =>
  `${LOG_IN}/organizations/${organizationId}/callback`;
const LOG_OUT = 'http://localhost/dashboard/log-in';

interface Now {
  readonly api: TestApi;
  readonly provider: TestProvider;
}

/** Of each test: a new organization with its provider. */
interface OfTest extends Now {
  readonly boss: Person;
  readonly admin: Browser;
  /** Of the provider, at the log-in. */
  readonly key: string;
}

/** One API and one provider for a file of tests. @param onTest before each test. */
export function providerTests(onTest: (of: OfTest) => void) {
  let now: Now;
  const hands = providerHands(() => now);
  beforeAll(async () => {
    const provider = await startTestProvider({
      redirectUris: [CALLBACK, callbackOf('*')],
      logOutUris: [LOG_OUT],
    });
    const config = { oidcPrivateHosts: [new URL(provider.issuer).host] };
    now = { provider, api: await createTestApi({ config }) };
  });
  beforeEach(async () => {
    await now.provider.control({ tamper: null });
    await now.api.database.query(`DELETE FROM identity_provider_domains`);
    onTest({ ...now, ...(await hands.organization()) });
  });
  afterAll(async () => {
    await Promise.all([now.api.close(), now.provider.stop()]);
  });
  return hands;
}

/** What people and browsers do with a provider. @param now the API and the provider of the moment. */
export function providerHands(now: () => Now) {
  const body = (changes: object = {}) => ({
    name: 'Example ID',
    issuer: now().provider.issuer,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    enabled: true,
    makes_users: false,
    groups_claim: 'groups',
    admin_groups: [],
    member_groups: [],
    current_password: PASSWORD,
    ...changes,
  });
  const save = (browser: Browser, changes: object = {}) => browser.account('PUT', '/provider', body(changes));
  /** A new one, with the provider. */
  async function organization(changes: object = {}) {
    const boss = await createPerson(now().api.database);
    const admin = await openBrowser(now().api.app, boss);
    const saved = await save(admin, changes);
    expect([saved.statusCode, saved.body]).toEqual([200, expect.any(String)]);
    const key = new URL(saved.json().data.provider.log_in_url).searchParams.get('organization') ?? '';
    return { boss, admin, key };
  }
  const domains = (organizationId: number, list: readonly string[]) =>
    now().api.database.query(
      `INSERT INTO identity_provider_domains (domain, provider_id)
       SELECT unnest($2::text[]), id FROM identity_providers WHERE organization_id = $1`,
      [organizationId, list],
    );
  const accountOf = (email: string, claims: object = {}): Account => ({
    sub: `sub-${email}`,
    claims: { email, email_verified: true, name: 'Ada', ...claims },
  });
  const begin = (wanted: string, payload: object = {}) =>
    now().api.app.inject({
      method: 'POST',
      url: '/api/v1/account/log-in/provider',
      payload: { key: wanted, ...payload },
    });
  const cookiesOf = (answer: { headers: Record<string, unknown> }): Record<string, string> =>
    Object.fromEntries(
      [answer.headers['set-cookie']]
        .flat()
        .map((line) => /^([^=]+)=([^;]*)/.exec(String(line))?.slice(1) ?? [])
        .filter(([, value]) => value !== '' && value !== undefined),
    );
  /** From our page to the provider and back. */
  async function toProvider(wanted: string, payload: object = {}) {
    const begun = await begin(wanted, payload);
    expect(begun.statusCode).toBe(200);
    const cookie = `broadside_provider=${cookiesOf(begun).broadside_provider}`;
    return { cookie, back: await now().provider.visit(begun.json().data.url) };
  }
  const comeBack = ({ cookie, back }: { cookie: string; back: string }) =>
    now().api.app.inject({ url: back.replace('http://localhost', ''), headers: { cookie } });
  async function logInBy(wanted: string, account: Account, payload: object = {}) {
    await now().provider.control({ account });
    return comeBack(await toProvider(wanted, payload));
  }
  const problemOf = (answer: Awaited<ReturnType<typeof comeBack>>) => {
    const to = new URL(String(answer.headers.location));
    return [answer.statusCode, to.pathname, to.searchParams.get('problem'), cookiesOf(answer)];
  };
  const refused = (why: string) => [303, '/dashboard/log-in', why, {}];
  /** The session of a log-in that let somebody in. */
  async function meOf(answer: Awaited<ReturnType<typeof comeBack>>) {
    const cookie = `broadside_session=${cookiesOf(answer).broadside_session}`;
    const me = await now().api.app.inject({ url: '/api/v1/account/me', headers: { cookie } });
    expect([me.statusCode, answer.headers.location]).toEqual([200, expect.any(String)]);
    return { me: me.json().data, browser: browserOf(now().api.app, cookie, me.json().data.csrf_token) };
  }
  const audited = async (organizationId: number, action: string) =>
    (
      await now().api.database.query<{ detail: object }>(
        `SELECT detail FROM audit_log WHERE organization_id = $1 AND action = $2 ORDER BY id`,
        [organizationId, action],
      )
    ).map(({ detail }) => detail);

  return {
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
  };
}
