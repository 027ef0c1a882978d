// tier: postgres
import { describe, expect, it } from 'vitest';
import { createDeviceCookie, DEVICE_SECONDS } from '../../../../api/auth/device-cookie.ts';
import type { CookieJar } from '../../../../api/auth/session-cookie.ts';
import { toId, type UserId } from '../../../../engine/contract/ids.ts';
import { createTestApi, openTestApi } from '../../support.ts';
import { createPerson, PASSWORD, type Person, withCheapHash } from '../support.ts';

const api = await openTestApi();

interface Attempt {
  readonly email: string;
  readonly password?: string;
  readonly address: string;
  readonly cookie?: string;
}
const logIn = ({ email, password = PASSWORD, address, cookie }: Attempt, app = api.app) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/account/log-in',
    remoteAddress: address,
    headers: cookie === undefined ? {} : { cookie },
    payload: { email, password },
  });
type Answer = Awaited<ReturnType<typeof logIn>>;

const cookiesOf = (answer: Answer): string[] => [answer.headers['set-cookie'] ?? []].flat().map(String);
const deviceOf = (answer: Answer): string =>
  cookiesOf(answer)
    .find((each) => each.includes('broadside_device='))
    ?.split(';')[0] ?? '';

let lastAddress = 0;
const newAddress = (): string => `198.51.100.${++lastAddress}`;

/** Wrong passwords from everywhere, until new browsers are locked out. */
async function lockOut(person: Person): Promise<void> {
  await withCheapHash(api.database, person, async () => {
    for (let burst = 0; burst < 4; burst++) {
      const address = newAddress();
      await Promise.all(
        Array.from({ length: 15 }, () => logIn({ email: person.email, password: 'wrong', address })),
      );
    }
  });
  expect((await logIn({ email: person.email, address: newAddress() })).statusCode).toBe(429);
}

describe('a browser where a user logged in before', () => {
  it('is admitted while wrong passwords from elsewhere lock the account, from any address', async () => {
    const person = await createPerson(api.database);
    const address = newAddress();
    const first = await logIn({ email: person.email, address });
    const [, attributes] =
      /^[^;]+(;.*)$/.exec(cookiesOf(first).find((each) => each.startsWith('broadside_device')) ?? '') ?? [];
    expect(attributes).toBe('; Max-Age=15552000; Path=/; HttpOnly; SameSite=Strict');
    const cookie = deviceOf(first);
    await lockOut(person);
    expect((await logIn({ email: person.email, address: newAddress(), cookie })).statusCode).toBe(200);
    // Twenty wrong ones of another person, from the address that both have behind a proxy.
    const other = await createPerson(api.database);
    await withCheapHash(api.database, other, async () => {
      for (let n = 0; n < 21; n++) await logIn({ email: other.email, password: 'wrong', address });
    });
    expect((await logIn({ email: other.email, address })).statusCode).toBe(429);
    expect((await logIn({ email: person.email, address, cookie })).statusCode).toBe(200);
  });

  it('has twenty wrong passwords of its own, which lock no other browser out', async () => {
    const person = await createPerson(api.database);
    const [address, elsewhere] = [newAddress(), newAddress()];
    const cookie = deviceOf(await logIn({ email: person.email, address }));
    const statuses: number[] = [];
    for (let n = 0; n < 21; n++)
      statuses.push((await logIn({ email: person.email, password: 'wrong', address, cookie })).statusCode);
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
    expect((await logIn({ email: person.email, address: elsewhere, cookie })).statusCode).toBe(429);
    expect((await logIn({ email: person.email, address })).statusCode).toBe(200);
  });

  it('gives no access, and bypasses no limit of another account or with a forged entry', async () => {
    const [person, victim] = [await createPerson(api.database), await createPerson(api.database)];
    const cookie = deviceOf(await logIn({ email: person.email, address: newAddress() }));
    const wrong = await logIn({ email: person.email, password: 'wrong', address: newAddress(), cookie });
    expect([wrong.statusCode, cookiesOf(wrong)]).toEqual([401, []]);
    await lockOut(victim);
    const claimed = cookie.replace(/=\d+\./, `=${victim.userId}.`);
    const address = newAddress();
    for (const each of [cookie, claimed, 'broadside_device=1.2.3.4.5', `${cookie}~${claimed}`])
      expect((await logIn({ email: victim.email, address, cookie: each })).statusCode).toBe(429);
    // Whether the address exists shows neither in the status nor in the words.
    const unknown = await logIn({
      email: 'nobody@example.com',
      password: 'wrong',
      address: newAddress(),
      cookie,
    });
    expect([unknown.statusCode, unknown.json()]).toEqual([wrong.statusCode, wrong.json()]);
  });

  it('is forgotten with the password, and known by the new one', async () => {
    const person = await createPerson(api.database);
    const first = await logIn({ email: person.email, address: newAddress() });
    const cookie = deviceOf(first);
    const session = cookiesOf(first)[0]?.split(';')[0] ?? '';
    const next = `${PASSWORD}, another one`;
    const changed = await api.app.inject({
      method: 'PUT',
      url: '/api/v1/account/me/password',
      headers: { cookie: `${session}; ${cookie}`, 'x-csrf-token': first.json().data.csrf_token },
      payload: { current_password: PASSWORD, new_password: next },
    });
    expect(changed.statusCode).toBe(204);
    await lockOut(person);
    const tryWith = (each: string) =>
      logIn({ email: person.email, password: next, address: newAddress(), cookie: each });
    expect((await tryWith(cookie)).statusCode).toBe(429);
    expect((await tryWith(deviceOf(changed))).statusCode).toBe(200);
  });

  it('keeps the entries of five people, and is known to every process', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => createPerson(api.database)));
    let cookie = '';
    for (const { email } of people) cookie = deviceOf(await logIn({ email, address: newAddress(), cookie }));
    expect(cookie.split('~')).toHaveLength(5);
    const another = await createTestApi({ database: api.database });
    const [gone, kept] = [people[0], people[1]];
    const address = newAddress();
    for (let n = 0; n < 21; n++)
      await logIn({ email: 'nobody@example.com', password: 'wrong', address }, another.app);
    const statusOf = async (person: Person | undefined) =>
      (await logIn({ email: person?.email ?? '', address, cookie }, another.app)).statusCode;
    expect([await statusOf(gone), await statusOf(kept)]).toEqual([429, 200]);
    await another.close();
  });
});

describe('an entry of the device cookie', () => {
  const user = { id: toId<UserId>(7), passwordHash: 'hash' };
  const kept = { text: null as string | null };
  const jar: CookieJar = {
    read: () => kept.text,
    write: (_request, _reply, text) => {
      kept.text = text;
    },
  };
  const [before, now] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const anything = {} as never;

  it('ends after half a year, and outlives a change of the master key', () => {
    let seconds = 1_000_000;
    createDeviceCookie(jar, [before], () => seconds).write(anything, anything, user);
    const later = createDeviceCookie(jar, [now, before], () => seconds);
    expect(later.find(later.read(anything), user)).toMatchObject({ userId: 7 });
    expect(later.find(later.read(anything), { ...user, passwordHash: 'other' })).toBeNull();
    expect(createDeviceCookie(jar, [now], () => seconds).read(anything)).toEqual([]);
    seconds += DEVICE_SECONDS;
    expect(later.read(anything)).toEqual([]);
  });
});
