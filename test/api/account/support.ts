import { randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Role } from '../../../api/auth/abilities.ts';
import { hashPassword } from '../../../api/auth/password-hash.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { createMember, type Member } from '../support.ts';

export const PASSWORD = 'a long line for tests';
const passwordHash = hashPassword(PASSWORD);

/** A member with a password and an address of their own. */
export interface Person extends Member {
  readonly email: string;
}

export async function createPerson(
  database: Database,
  options: { role?: Role; organizationId?: number } = {},
): Promise<Person> {
  const member = await createMember(database, options);
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  await database.query(
    `UPDATE users SET email = $2, password_hash = $3, address_confirmed_at = now() WHERE id = $1`,
    [member.userId, email, await passwordHash],
  );
  return { ...member, email };
}

/** Argon2id of a text that nobody types, with the least memory and time possible. */
const cheapHash = `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * While `attempts` run, to check a wrong password of the person costs nothing: where sixty are counted, the time of a
 * real hash proves nothing more.
 */
export async function withCheapHash<T>(
  database: Database,
  { userId }: Person,
  attempts: () => Promise<T>,
): Promise<T> {
  const setHash = (hash: string | undefined) =>
    database.query(`UPDATE users SET password_hash = $2 WHERE id = $1`, [userId, hash]);
  const [user] = await database.query<{ hash: string }>(
    `SELECT password_hash AS hash FROM users WHERE id = $1`,
    [userId],
  );
  await setHash(cheapHash);
  try {
    return await attempts();
  } finally {
    await setHash(user?.hash);
  }
}

/** The part of `Set-Cookie` that a browser sends back; empty where none was set. */
export const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
  String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';

export interface Browser {
  readonly cookie: string;
  readonly csrf: string;
  /** Below `/api/v1/account`. */
  account(method: Method, path: string, body?: object): ReturnType<typeof send>;
  /** Below `/api/v1/client`. */
  client(method: Method, path: string, body?: object): ReturnType<typeof send>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const send = (app: FastifyInstance, request: InjectOptions, body?: object) =>
  app.inject(body === undefined ? request : { ...request, payload: body });

export const logIn = (app: FastifyInstance, email: string, password = PASSWORD) =>
  app.inject({ method: 'POST', url: '/api/v1/account/log-in', payload: { email, password } });

export function browserOf(app: FastifyInstance, cookie: string, csrf: string): Browser {
  const below = (prefix: string) => (method: Method, path: string, body?: object) =>
    send(app, { method, url: `${prefix}${path}`, headers: { cookie, 'x-csrf-token': csrf } }, body);
  return { cookie, csrf, account: below('/api/v1/account'), client: below('/api/v1/client') };
}

export async function openBrowser(app: FastifyInstance, person: Person): Promise<Browser> {
  const answer = await logIn(app, person.email);
  if (answer.statusCode !== 200) throw new Error(`log-in answered ${answer.statusCode} ${answer.body}`);
  return browserOf(app, cookieOf(answer), answer.json().data.csrf_token);
}
