// tier: postgres
import { beforeEach, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../support/passkeys.ts';
import { buildFactor, codeOf } from '../../../support/second-factor.ts';
import { createTestApi, openTestApi } from '../../support.ts';
import { type Browser, createPerson, logIn, openBrowser, PASSWORD, type Person } from '../support.ts';

type Authenticator = ReturnType<typeof createAuthenticator>;

describe('a passkey', async () => {
  let person: Person;
  let browser: Browser;
  const api = await openTestApi();
  beforeEach(async () => {
    person = await createPerson(api.database);
    browser = await openBrowser(api.app, person);
  });

  const challengeOf = (answer: { json(): { data: { options: string } } }): string =>
    JSON.parse(answer.json().data.options).challenge;
  const begin = (from = browser, current_password = PASSWORD) =>
    from.account('POST', '/me/passkeys/options', { current_password });
  const send = (answer: string, from = browser, name = 'Phone') =>
    from.account('POST', '/me/passkeys', { name, answer });
  async function add(authenticator: Authenticator, from = browser) {
    const added = await send(authenticator.add(challengeOf(await begin(from))), from);
    expect([added.statusCode, added.body]).toEqual([201, expect.any(String)]);
    return added.json().data as { passkey: { id: number }; recovery_codes: string[] };
  }
  const post = (path: string, cookie: string, payload: object = {}) =>
    api.app.inject({ method: 'POST', url: `/api/v1/account/log-in${path}`, headers: { cookie }, payload });
  const cookieNamed = (answer: { headers: Record<string, unknown> }, name: string): string =>
    [answer.headers['set-cookie']]
      .flat()
      .map((line) => String(line).split(';')[0] ?? '')
      .find((each) => each.startsWith(`${name}=`)) ?? '';
  async function half(): Promise<string> {
    const answer = await logIn(api.app, person.email);
    expect(answer.statusCode).toBe(202);
    return cookieNamed(answer, 'broadside_log_in');
  }
  const second = async (cookie: string) => challengeOf(await post('/code/passkey-options', cookie));
  const complete = (cookie: string, answer: string) => post('/code/passkey', cookie, { answer });
  async function ask() {
    const answer = await post('/passkey-options', '');
    return { cookie: cookieNamed(answer, 'broadside_passkey'), challenge: challengeOf(answer) };
  }
  const alone = (cookie: string, answer: string) => post('/passkey', cookie, { answer });
  const audited = async (action: string) =>
    (
      await api.database.query<{ detail: object }>(
        `SELECT detail FROM audit_log WHERE user_id = $1 AND action = $2 ORDER BY id`,
        [person.userId, action],
      )
    ).map(({ detail }) => detail);

  it.each(['reader', 'guest'] as const)('may be a %s’s, and lets them in alone', async (role) => {
    const theirs = await openBrowser(api.app, await createPerson(api.database, { role }));
    const authenticator = createAuthenticator();
    const { passkey } = await add(authenticator, theirs);
    const { cookie, challenge } = await ask();
    const inside = await alone(cookie, authenticator.use(challenge));
    expect([inside.statusCode, inside.json().data.user.role]).toEqual([200, role]);
    expect((await theirs.account('GET', '/me/passkeys')).json().data).toHaveLength(1);
    const removed = { current_password: PASSWORD };
    expect((await theirs.account('POST', `/me/passkeys/${passkey.id}/remove`, removed)).statusCode).toBe(204);
  });

  it('is added with the password, listed, renamed, and then asked for after the password', async () => {
    const key = createAuthenticator();
    const other = await openBrowser(api.app, person);
    expect((await begin(browser, 'not the password')).statusCode).toBe(422);
    const { passkey, recovery_codes: codes } = await add(key);
    expect(new Set(codes).size).toBe(10);
    // As with any first factor, other sessions end.
    expect((await other.account('GET', '/me')).statusCode).toBe(401);
    const me = (await browser.account('GET', '/me')).json().data;
    expect(me).toMatchObject({
      second_factor: 'on',
      recovery_codes_left: 10,
      has_authenticator_app: false,
    });
    const cookie = await half();
    const used = await complete(cookie, key.use(await second(cookie)));
    expect([used.statusCode, used.json().data.user.id]).toEqual([200, person.userId]);
    expect((await audited('user.logged-in')).at(-1)).toEqual({ second_factor: 'passkey' });
    const renamed = await browser.account('PATCH', `/me/passkeys/${passkey.id}`, { name: 'Old phone' });
    expect(renamed.json().data).toMatchObject({
      name: 'Old phone',
      stopped: false,
      last_used_at: expect.any(String),
    });
    expect((await browser.account('GET', '/me/passkeys')).json().data).toEqual([renamed.json().data]);
    // A second one keeps the codes of the first.
    expect((await add(createAuthenticator())).recovery_codes).toEqual([]);
    // They are the way back, each once.
    const lost = await half();
    expect((await post('/code', lost, { code: codes[0] })).statusCode).toBe(200);
    expect((await post('/code', await half(), { code: codes[0] })).statusCode).toBe(422);
  });

  it('lets its user in without a password where it asked for a PIN or a finger', async () => {
    const key = createAuthenticator();
    await add(key);
    const first = await ask();
    const inside = await alone(first.cookie, key.use(first.challenge));
    expect([inside.statusCode, inside.json().data.user.id]).toEqual([200, person.userId]);
    expect(cookieNamed(inside, 'broadside_session')).toMatch(/^broadside_session=[\w-]{43}$/);
    const weak = await ask();
    expect((await alone(weak.cookie, key.use(weak.challenge, { verified: false }))).statusCode).toBe(401);
    // After the password, to touch it is enough.
    const cookie = await half();
    expect((await complete(cookie, key.use(await second(cookie), { verified: false }))).statusCode).toBe(200);
  });

  it('answers a challenge once, in time, and in the browser that it was made for', async () => {
    const key = createAuthenticator();
    await add(key);
    const mine = await ask();
    const answer = key.use(mine.challenge);
    const other = await ask();
    expect((await alone(other.cookie, answer)).statusCode).toBe(401);
    expect((await alone(mine.cookie, answer)).statusCode).toBe(200);
    expect((await alone(mine.cookie, answer)).statusCode).toBe(401);
    // A wrong answer uses the challenge up, too.
    const spent = await ask();
    expect((await alone(spent.cookie, '{}')).statusCode).toBe(401);
    expect((await alone(spent.cookie, key.use(spent.challenge))).statusCode).toBe(401);
    const late = await ask();
    await api.database.query(`UPDATE passkey_challenges SET expires_at = now()`);
    expect((await alone(late.cookie, key.use(late.challenge))).statusCode).toBe(401);
    // Neither half of a log-in takes the other's.
    const cookie = await half();
    const asked = await ask();
    await second(cookie);
    expect((await complete(cookie, key.use(asked.challenge))).statusCode).toBe(422);
  });

  it('is refused from another origin, for another site, and where nobody signed', async () => {
    const key = createAuthenticator();
    const evil = 'https://push.evil.example';
    expect((await send(key.add(challengeOf(await begin()), { origin: evil }))).statusCode).toBe(422);
    const elsewhere = createAuthenticator('evil.example');
    expect((await send(elsewhere.add(challengeOf(await begin())))).statusCode).toBe(422);
    await add(key);
    for (const use of [{ origin: evil }, { forged: true }]) {
      const { cookie, challenge } = await ask();
      expect((await alone(cookie, key.use(challenge, use))).statusCode).toBe(401);
      const begun = await half();
      expect((await complete(begun, key.use(await second(begun), use))).json().errors).toEqual({
        answer: ['The answer field is not that of a passkey of this user, or was used before.'],
      });
    }
    // What nobody signed stops no passkey, whatever counter it claims.
    const { cookie, challenge } = await ask();
    await alone(cookie, key.use(challenge, { forged: true, counter: 1 }));
    const good = await ask();
    expect((await alone(good.cookie, key.use(good.challenge, { counter: 50 }))).statusCode).toBe(200);
  });

  it('is stopped where its counter goes back, which says that there are two of it', async () => {
    const key = createAuthenticator();
    await add(key);
    const first = await ask();
    expect((await alone(first.cookie, key.use(first.challenge, { counter: 7 }))).statusCode).toBe(200);
    const copy = await ask();
    expect((await alone(copy.cookie, key.use(copy.challenge, { counter: 7 }))).statusCode).toBe(401);
    const next = await ask();
    expect((await alone(next.cookie, key.use(next.challenge, { counter: 9 }))).statusCode).toBe(401);
    expect((await browser.account('GET', '/me/passkeys')).json().data[0].stopped).toBe(true);
    expect(await audited('user.passkey-stopped')).toHaveLength(1);
    // It still guards: the password alone opens nothing.
    await half();
  });

  it('is removed with the password, and lets nobody in then', async () => {
    const [key, other] = [createAuthenticator(), createAuthenticator()];
    const { passkey } = await add(key);
    const rest = await add(other);
    const remove = (id: number, current_password = PASSWORD, from = browser) =>
      from.account('POST', `/me/passkeys/${id}/remove`, { current_password });
    const begun = await half();
    const challenge = await second(begun);
    expect((await remove(passkey.id, 'not the password')).statusCode).toBe(422);
    // Somebody else's does not exist.
    const stranger = await openBrowser(api.app, await createPerson(api.database));
    expect((await remove(passkey.id, PASSWORD, stranger)).statusCode).toBe(404);
    const rename = stranger.account('PATCH', `/me/passkeys/${passkey.id}`, { name: 'Mine' });
    expect((await rename).statusCode).toBe(404);
    expect((await remove(passkey.id)).statusCode).toBe(204);
    expect((await complete(begun, key.use(challenge))).statusCode).toBe(422);
    const asked = await ask();
    expect((await alone(asked.cookie, key.use(asked.challenge))).statusCode).toBe(401);
    expect((await remove(rest.passkey.id)).statusCode).toBe(204);
    expect((await browser.account('GET', '/me')).json().data).toMatchObject({
      second_factor: 'off',
      recovery_codes_left: 0,
    });
    expect((await logIn(api.app, person.email)).statusCode).toBe(200);
  });

  it('of another user is not a second factor', async () => {
    const mine = createAuthenticator();
    await add(mine);
    const eve = await createPerson(api.database);
    const theirs = createAuthenticator();
    await add(theirs, await openBrowser(api.app, eve));
    const cookie = await half();
    expect((await complete(cookie, theirs.use(await second(cookie)))).statusCode).toBe(422);
    // Nor is one credential two users': whoever has it would choose.
    const again = await openBrowser(api.app, await createPerson(api.database));
    expect((await send(mine.add(challengeOf(await begin(again))), again)).statusCode).toBe(422);
  });

  it('stands beside an authenticator app: either is enough, and each goes by itself', async () => {
    const key = createAuthenticator();
    const secret = await buildFactor(api.database, person.userId);
    expect((await add(key)).recovery_codes).toEqual([]);
    const [byCode, byKey] = [await half(), await half()];
    expect((await post('/code', byCode, { code: await codeOf(secret) })).statusCode).toBe(200);
    expect((await complete(byKey, key.use(await second(byKey)))).statusCode).toBe(200);
    const removed = await browser.account('POST', '/me/second-factor/remove', { current_password: PASSWORD });
    expect(removed.statusCode).toBe(204);
    const me = (await browser.account('GET', '/me')).json().data;
    expect(me).toMatchObject({ second_factor: 'on', has_authenticator_app: false, recovery_codes_left: 1 });
    const cookie = await half();
    expect((await post('/code', cookie, { code: await codeOf(secret, 1) })).statusCode).toBe(422);
    expect((await complete(cookie, key.use(await second(cookie)))).statusCode).toBe(200);
  });

  it('counts where the organization requires a second factor, and is reset with the others', async () => {
    const { organizationId } = person;
    const member = await createPerson(api.database, { role: 'member', organizationId });
    await api.database.query(`UPDATE organizations SET second_factor_required = true WHERE id = $1`, [
      organizationId,
    ]);
    expect((await browser.client('GET', '/apps')).statusCode).toBe(403);
    await add(createAuthenticator());
    expect((await browser.client('GET', '/apps')).statusCode).toBe(200);
    const theirs = await openBrowser(api.app, member);
    await add(createAuthenticator(), theirs);
    const reset = await browser.account('DELETE', `/users/${member.userId}/second-factor`);
    expect(reset.statusCode).toBe(204);
    expect((await theirs.account('GET', '/me/passkeys')).json().data).toEqual([]);
    expect((await logIn(api.app, member.email)).statusCode).toBe(200);
  });

  it('needs a host name, and belongs to that of PUBLIC_BASE_URL', async () => {
    const at = (host: string) =>
      api.app.inject({ method: 'POST', url: '/api/v1/account/log-in/passkey-options', headers: { host } });
    expect((await at('127.0.0.1:8080')).statusCode).toBe(409);
    const named = await createTestApi({ config: { publicBaseUrl: 'https://push.example.org:8443/push' } });
    const asked = await named.app.inject({
      method: 'POST',
      url: '/api/v1/account/log-in/passkey-options',
      headers: { host: 'another.example' },
    });
    expect(JSON.parse(asked.json().data.options)).toMatchObject({
      rpId: 'push.example.org',
      userVerification: 'required',
    });
    await named.close();
  });
});
