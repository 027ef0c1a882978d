// tier: system
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import { emailContext } from '../../../../engine/contract/emails.ts';
import { toId } from '../../../../engine/contract/ids.ts';
import { startTestProvider, type TestProvider } from '../../../support/openid-provider/start.ts';
import { buildFactor } from '../../../support/second-factor.ts';
import { createTestApi, MASTER_KEY, type TestApi } from '../../support.ts';
import { type Browser, browserOf, cookieOf, createPerson, logIn, openBrowser, PASSWORD } from '../support.ts';
import { providerHands } from './provider-hands.ts';

const OWN = 'a line that only the owner knows';
const base = 'http://localhost';

/** `plain` sends no e-mails, so its admins see the links of invitations; `mailing` is the same installation later. */
describe('an address whose account a squatter made', () => {
  let provider: TestProvider;
  let plain: TestApi;
  let mailing: TestApi;
  let squatter: Browser;
  let email: string;
  const hands = providerHands(() => ({ api: { ...mailing, database: plain.database }, provider }));
  beforeAll(async () => {
    provider = await startTestProvider({
      redirectUris: [
        `${base}/api/v1/account/log-in/callback`,
        `${base}/api/v1/account/log-in/organizations/*/callback`,
      ],
    });
    plain = await createTestApi();
    mailing = await createTestApi({
      database: plain.database,
      config: {
        smtpUrl: 'smtp://mail.example',
        mailFrom: 'push@push.example',
        publicBaseUrl: base,
        oidcPrivateHosts: [new URL(provider.issuer).host],
        oidcIssuer: provider.issuer,
        oidcName: 'Everyone’s ID',
        oidcClientId: 'broadside',
        oidcClientSecret: 'a secret of the client',
      },
    });
  });
  beforeEach(async () => {
    await plain.database.query(`DELETE FROM letters`);
    squatter = await openBrowser(plain.app, await createPerson(plain.database, { role: 'admin' }));
    email = (await createPerson(plain.database)).email.replace('@', '.owner@');
  });
  afterAll(async () => {
    await mailing.close();
    await plain.close();
    await provider.stop();
  });

  const post = (api: TestApi, path: string, payload: object) =>
    api.app.inject({ method: 'POST', url: `/api/v1/account${path}`, payload });
  const accept = (api: TestApi, invitation: string, password: string) =>
    post(api, '/invitations/accept', { invitation, name: 'Somebody', password });
  /** The squatter accepts in the owner's name, and sets up whatever lets them in. */
  async function squat(role = 'member') {
    const made = await squatter.account('POST', '/invitations', { email, role });
    const accepted = await accept(plain, String(made.json().data.url).split('#')[1] ?? '', PASSWORD);
    expect(accepted.statusCode).toBe(201);
    const { user, csrf_token } = accepted.json().data;
    const inside = browserOf(plain.app, cookieOf(accepted), csrf_token);
    const token = await inside.account('POST', '/tokens', { name: 'kept', abilities: ['apps:read'] });
    expect([token.statusCode, token.body]).toEqual([201, expect.any(String)]);
    await buildFactor(plain.database, toId(user.id));
    return { id: user.id as number, inside, token: token.json().data.token as string };
  }
  const withToken = async (token: string) =>
    (await plain.app.inject({ url: '/api/v1/client/apps', headers: { authorization: `Bearer ${token}` } }))
      .statusCode;
  /** What the only e-mail of the kind says; nobody but the mailbox gets it. */
  async function mailedLink(kind: string): Promise<string> {
    const emails = () =>
      plain.database.query<{ address: string; sealed: Buffer }>(
        `SELECT address, link_sealed AS sealed FROM letters WHERE kind = $1`,
        [kind],
      );
    await expect.poll(async () => (await emails()).length).toBe(1);
    const [sent] = await emails();
    expect(sent?.address).toBe(email);
    const link = createSealer(MASTER_KEY).open(sent?.sealed ?? Buffer.alloc(0), emailContext(email));
    return link.toString().split('#')[1] ?? '';
  }
  /** Nothing of the squatter's lets them in, with the password of the owner or without one. */
  async function expectEnded({ id, inside, token }: Awaited<ReturnType<typeof squat>>): Promise<void> {
    expect((await inside.account('GET', '/me')).statusCode).toBe(401);
    expect((await logIn(plain.app, email)).statusCode).toBe(401);
    expect(await withToken(token)).toBe(401);
    const [left] = await plain.database.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM second_factors WHERE user_id = $1)
         + (SELECT count(*) FROM passkeys WHERE user_id = $1)
         + (SELECT count(*) FROM half_log_ins WHERE user_id = $1) AS count`,
      [id],
    );
    expect(left?.count).toBe(0);
  }

  it('is its owner’s after a new password by e-mail, and nothing of the squatter’s lets in', async () => {
    const squatted = await squat();
    await post(mailing, '/password-reset', { email });
    const reset = await mailedLink('password-reset');
    expect((await post(mailing, '/password-reset/set', { reset, password: OWN })).statusCode).toBe(204);
    await expectEnded(squatted);
    expect((await logIn(plain.app, email, OWN)).statusCode).toBe(200);
    // Once it is confirmed, a second factor and tokens outlive a new password.
    await buildFactor(plain.database, toId(squatted.id));
    await plain.database.query(`DELETE FROM letters`);
    await post(mailing, '/password-reset', { email });
    const again = await mailedLink('password-reset');
    expect(
      (await post(mailing, '/password-reset/set', { reset: again, password: PASSWORD })).statusCode,
    ).toBe(204);
    expect((await logIn(plain.app, email)).statusCode).toBe(202);
  });

  it.each(['member', 'admin'])(
    'joins another organization by an invitation in its mailbox (squatted as %s)',
    async (role) => {
      const squatted = await squat(role);
      const genuine = await createPerson(plain.database, { role: 'admin' });
      const admin = await openBrowser(mailing.app, genuine);
      await plain.database.query(`DELETE FROM letters`);
      expect((await admin.account('POST', '/invitations', { email, role: 'member' })).statusCode).toBe(201);
      const accepted = await accept(mailing, await mailedLink('invitation'), OWN);
      expect([accepted.statusCode, accepted.body]).toEqual([201, expect.any(String)]);
      expect(accepted.json().data.organization.id).toBe(genuine.organizationId);
      await expectEnded(squatted);
      expect((await logIn(plain.app, email, OWN)).statusCode).toBe(200);
    },
  );

  it('is not given up to a link that an admin sees, nor once it is confirmed', async () => {
    const { id } = await squat();
    const other = await openBrowser(plain.app, await createPerson(plain.database, { role: 'admin' }));
    const shown = await other.account('POST', '/invitations', { email, role: 'member' });
    expect((await accept(plain, shown.json().data.url.split('#')[1], OWN)).statusCode).toBe(404);
    await plain.database.query(`UPDATE users SET address_confirmed_at = now() WHERE id = $1`, [id]);
    const admin = await openBrowser(mailing.app, await createPerson(plain.database, { role: 'admin' }));
    await plain.database.query(`DELETE FROM letters`);
    await admin.account('POST', '/invitations', { email, role: 'member' });
    expect((await accept(mailing, await mailedLink('invitation'), OWN)).statusCode).toBe(404);
    expect((await logIn(plain.app, email)).statusCode).toBe(202);
  });

  it('is its owner’s after a log-in by the installation’s provider', async () => {
    const squatted = await squat();
    const { me } = await hands.meOf(await hands.logInBy('installation', hands.accountOf(email)));
    expect(me).toMatchObject({ user: { id: squatted.id }, has_password: false, second_factor: 'off' });
    await expectEnded(squatted);
  });

  it('is not confirmed by an organization’s provider, unless an operator named the domain', async () => {
    const squatted = await squat();
    const { boss, key } = await hands.organization({ name: 'Ours', makes_users: true });
    expect(hands.problemOf(await hands.logInBy(key, hands.accountOf(email)))).toEqual(
      hands.refused('unknown'),
    );
    // In its own organization it opens the account, which it may, and confirms nothing.
    const colleague = await createPerson(plain.database, { organizationId: boss.organizationId });
    await plain.database.query(`UPDATE users SET address_confirmed_at = NULL WHERE id = $1`, [
      colleague.userId,
    ]);
    await hands.meOf(await hands.logInBy(key, hands.accountOf(colleague.email)));
    const [row] = await plain.database.query<{ at: Date | null }>(
      `SELECT address_confirmed_at AS at FROM users WHERE id = $1`,
      [colleague.userId],
    );
    expect(row?.at).toBeNull();
    await hands.domains(boss.organizationId, ['example.com']);
    const { me } = await hands.meOf(await hands.logInBy(key, hands.accountOf(email)));
    expect(me.organization.id).toBe(boss.organizationId);
    await expectEnded(squatted);
    await plain.database.query(`DELETE FROM identity_provider_domains`);
  });

  it('keeps the account of a super-admin, whom only another one makes', async () => {
    const operator = await createPerson(plain.database, { role: 'super-admin' });
    const set = `UPDATE users SET address_confirmed_at = NULL, email = $2 WHERE id = $1`;
    await plain.database.query(set, [operator.userId, email]);
    const admin = await openBrowser(mailing.app, await createPerson(plain.database, { role: 'admin' }));
    await plain.database.query(`DELETE FROM letters`);
    await admin.account('POST', '/invitations', { email, role: 'member' });
    expect((await accept(mailing, await mailedLink('invitation'), OWN)).statusCode).toBe(404);
    expect((await logIn(plain.app, email)).statusCode).toBe(200);
  });
});
