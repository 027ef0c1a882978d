// tier: postgres
import { argon2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createLogInLimits } from '../../../../api/account/log-in/password/log-in.ts';
import { hashPassword, isOutdated, isPasswordOf, noHash } from '../../../../api/auth/password-hash.ts';
import { createPasswords } from '../../../../api/auth/passwords.ts';
import { addressKey, createAttemptLimit } from '../../../../engine/kit/http/attempt-limit.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { openTestApi } from '../../support.ts';
import { createPerson, logIn, PASSWORD } from '../support.ts';

/** With fewer passes than new ones have. */
function oldHash(password: string): string {
  const nonce = Buffer.alloc(16, 3);
  const cost = { memory: 8_192, passes: 1, parallelism: 1 };
  const tag = argon2Sync('argon2id', { message: Buffer.from(password), nonce, tagLength: 32, ...cost });
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=8192,t=1,p=1$${text(nonce)}$${text(tag)}`;
}

describe('a password', () => {
  it('rests as argon2id with a salt of its own, 19 MiB and 2 passes', async () => {
    const [one, two] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(two);
    expect(await isPasswordOf(PASSWORD, one)).toBe(true);
    expect(await isPasswordOf(`${PASSWORD} `, one)).toBe(false);
  });

  it('is the same however its letters are composed', async () => {
    expect(await isPasswordOf('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait'))).toBe(true);
  });

  it('is checked with the parameters of its hash, and reported as outdated', async () => {
    const passwords = createPasswords();
    expect(await passwords.check(PASSWORD, oldHash(PASSWORD))).toBe('outdated');
    expect(await passwords.check('another one', oldHash(PASSWORD))).toBe('wrong');
    expect(isOutdated(await hashPassword(PASSWORD))).toBe(false);
  });

  it('costs as much where there is no user: the same parameters, and never right', async () => {
    expect(isOutdated(noHash)).toBe(false);
    expect(await createPasswords().check(PASSWORD, null)).toBe('wrong');
    expect(await createPasswords().check(PASSWORD, 'nonsense')).toBe('wrong');
  });
});

describe('attempts', () => {
  it('are counted by key in a window, and good ones taken off', () => {
    const clock = createManualClock();
    const limit = createAttemptLimit({ most: 2, withinMs: 60_000, maxKeys: 10, clock });
    expect([limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([0, 0, 0]);
    expect(limit.take('a')).toBe(60);
    limit.giveBack('a');
    expect([limit.take('a'), limit.take('a')]).toEqual([0, 60]);
    clock.advance(59_500);
    expect(limit.take('a')).toBe(1);
    clock.advance(500);
    expect(limit.take('a')).toBe(0);
  });

  it('are forgotten, oldest key first, where there are too many keys', () => {
    const limit = createAttemptLimit({ most: 1, withinMs: 60_000, maxKeys: 2, clock: createManualClock() });
    expect(['a', 'b', 'c'].map(limit.take)).toEqual([0, 0, 0]);
    expect(limit.take('c')).toBeGreaterThan(0);
    expect(limit.take('a')).toBe(0);
  });

  it('of one household are one: an IPv4 address, or the /64 of an IPv6 one', () => {
    expect(addressKey('::ffff:192.0.2.1')).toBe(addressKey('192.0.2.1'));
    expect(addressKey('2001:db8:1:2:3::4')).toBe(addressKey('2001:db8:1:2::9'));
    expect(addressKey('2001:db8:1:3::4')).not.toBe(addressKey('2001:db8:1:2::4'));
  });
});

describe('a log-in', async () => {
  const api = await openTestApi();

  const from = (remoteAddress: string, email: string, password: string) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v1/account/log-in',
      remoteAddress,
      payload: { email, password },
    });
  const fail = async (times: number, address: (n: number) => string, email: (n: number) => string) => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n++) {
      statuses.push((await from(address(n), email(n), 'not the password')).statusCode);
    }
    return statuses;
  };

  it('makes an outdated hash again', async () => {
    const person = await createPerson(api.database);
    await api.database.query(`UPDATE users SET password_hash = $2 WHERE id = $1`, [
      person.userId,
      oldHash(PASSWORD),
    ]);
    expect((await logIn(api.app, person.email)).statusCode).toBe(200);
    const [row] = await api.database.query<{ hash: string }>(
      `SELECT password_hash AS hash FROM users WHERE id = $1`,
      [person.userId],
    );
    expect(isOutdated(row?.hash ?? '')).toBe(false);
    expect((await logIn(api.app, person.email)).statusCode).toBe(200);
  });

  it('that fails 20 times from one address gets a 429 with Retry-After; elsewhere it still succeeds', async () => {
    const person = await createPerson(api.database);
    await from('192.0.2.1', person.email, PASSWORD);
    const statuses = await fail(
      21,
      () => '192.0.2.1',
      (n) => `nobody${n}@example.com`,
    );
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
    const refused = await from('192.0.2.1', person.email, PASSWORD);
    expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600);
    expect((await from('192.0.2.2', person.email, PASSWORD)).statusCode).toBe(200);
  });

  it('that fails 60 times for one e-mail address from many gets a 429, whatever its case', () => {
    const limits = createLogInLimits();
    const take = (n: number) =>
      limits.take({
        address: `198.51.100.${n}`,
        email: n % 2 === 0 ? 'Ada@example.com' : 'ada@example.com ',
        device: null,
      });
    expect(Array.from({ length: 60 }, (_, n) => take(n)).filter((wait) => wait > 0)).toEqual([]);
    expect(take(60)).toBeGreaterThan(600);
    expect(limits.take({ address: '198.51.100.60', email: 'grace@example.com', device: null })).toBe(0);
  });

  it('is answered 503 with Retry-After when too many wait', async () => {
    const person = await createPerson(api.database);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => from(`192.0.2.${100 + n}`, person.email, PASSWORD)),
    );
    const statuses = Map.groupBy(answers, ({ statusCode }) => statusCode);
    expect(new Set(statuses.keys())).toEqual(new Set([200, 503]));
    expect(statuses.get(200)?.length).toBeGreaterThanOrEqual(18);
    expect(statuses.get(503)?.[0]?.headers['retry-after']).toBe('5');
  });
});
