import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserId } from '../../engine/contract/ids.ts';
import { newSecret } from '../../engine/kit/http/token.ts';
import type { CookieJar } from './session-cookie.ts';

/**
 * A cookie that names the users who logged in from this browser before: their failed log-ins there are counted
 * apart, so wrong passwords from elsewhere do not lock them out. It gives no access: the password is still
 * required. An entry is signed, names its user, and holds a mark of the password it was made with, so it ends
 * with that password, in every process, without a table.
 */
export interface DeviceCookie {
  /** The entries of this browser that are ours and not too old. */
  read(request: FastifyRequest): readonly Device[];
  /** Keeps the entries of other users of this browser; this user's is replaced. */
  write(request: FastifyRequest, reply: FastifyReply, user: KnownUser): void;
  /** The one that the user has on this browser; null where there is none, or the password is another one since. */
  find(devices: readonly Device[], user: KnownUser): Device | null;
}

export interface Device {
  readonly userId: number;
  /** Random, for the count of its failed log-ins. */
  readonly id: string;
  readonly mark: string;
  readonly text: string;
}

export interface KnownUser {
  readonly id: UserId;
  /** Null: they log in without one. */
  readonly passwordHash: string | null;
}

export const DEVICE_SECONDS = 180 * 24 * 3_600;
/** The number of people who may share a browser. */
const MOST_ENTRIES = 5;
const SEPARATOR = '~';
const entryShape = /^(\d{1,10})\.([\w-]{43})\.(\d{1,12})\.([\w-]{22})\.([\w-]{43})$/;

/** @param keys the master key, and former ones: they still verify their signatures. */
export function createDeviceCookie(
  jar: CookieJar,
  keys: readonly Uint8Array[],
  nowSeconds = () => Math.floor(Date.now() / 1_000),
): DeviceCookie {
  const signed = (key: Uint8Array, text: string): string =>
    createHmac('sha256', key).update(`broadside device\n${text}`).digest('base64url');
  const [current = new Uint8Array()] = keys;
  const markOf = (key: Uint8Array, { passwordHash }: KnownUser): string =>
    createHmac('sha256', key)
      .update(`broadside device password\n${passwordHash ?? ''}`)
      .digest('base64url')
      .slice(0, 22);

  const parse = (text: string): Device | null => {
    const [, userId = '', id = '', issued = '', mark = '', signature = ''] = entryShape.exec(text) ?? [];
    const body = `${userId}.${id}.${issued}.${mark}`;
    const isOurs = keys.some((key) => isEqual(signed(key, body), signature));
    const age = nowSeconds() - Number(issued);
    return isOurs && age < DEVICE_SECONDS ? { userId: Number(userId), id, mark, text } : null;
  };
  const read: DeviceCookie['read'] = (request) =>
    (jar.read(request) ?? '')
      .split(SEPARATOR, MOST_ENTRIES)
      .map(parse)
      .filter((device) => device !== null);
  const find: DeviceCookie['find'] = (devices, user) =>
    devices.find(
      ({ userId, mark }) => userId === user.id && keys.some((key) => isEqual(markOf(key, user), mark)),
    ) ?? null;

  return {
    read,
    find,
    write: (request, reply, user) => {
      const devices = read(request);
      const body = `${user.id}.${find(devices, user)?.id ?? newSecret()}.${nowSeconds()}.${markOf(current, user)}`;
      const others = devices.filter(({ userId }) => userId !== user.id).map(({ text }) => text);
      const entries = [`${body}.${signed(current, body)}`, ...others].slice(0, MOST_ENTRIES);
      jar.write(request, reply, entries.join(SEPARATOR), DEVICE_SECONDS);
    },
  };
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
