import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import { sendUnavailable } from '../../../../engine/kit/http/errors.ts';
import { sendFieldErrors, sendTooMany } from '../../../../engine/kit/http/problem.ts';
import { callerOf } from '../../../auth/caller.ts';
import { isYoung } from '../../../auth/session-store.ts';
import { findPassword } from '../../own/me/store.ts';
import type { AccountParts } from '../../parts.ts';

const JUST_NOW_SECONDS = 600;

/**
 * Whether the request gives its user's password; otherwise it is answered. A session left open must be no way to change
 * who gets in; guesses count like failed log-ins.
 */
export async function givesOwnPassword(
  { database, passwords, logInLimits, devices, cookie }: AccountParts,
  request: FastifyRequest,
  reply: FastifyReply,
  password: string | undefined,
): Promise<boolean> {
  const { userId: id } = callerOf(request);
  const own = await findPassword(database, id);
  if (own !== null && own.hash === null) return beganJustNow(database, cookie.read(request) ?? '', reply);
  if (own?.hash == null || password === undefined) return refuse(reply, WRONG);
  const device = devices.find(devices.read(request), { id, passwordHash: own.hash });
  const attempt = { address: request.ip, email: own.email, device };
  const waitSeconds = logInLimits.take(attempt);
  if (waitSeconds > 0) {
    sendTooMany(reply, waitSeconds);
    return false;
  }
  const check = await passwords.check(password, own.hash);
  if (check === 'wrong') return refuse(reply, WRONG);
  logInLimits.giveBack(attempt);
  if (check !== 'busy') return true;
  sendUnavailable(reply);
  return false;
}

const WRONG = 'The current_password field is wrong.';
const NOT_NOW = `You have no password: log in again, and do this within ${JUST_NOW_SECONDS / 60} minutes.`;

/** Users whom a provider lets in have none to show: a log-in of just now is as good. */
async function beganJustNow(database: Database, secret: string, reply: FastifyReply): Promise<boolean> {
  return (await isYoung(database, secret, JUST_NOW_SECONDS)) || refuse(reply, NOT_NOW);
}

function refuse(reply: FastifyReply, words: string): false {
  sendFieldErrors(reply, { current_password: [words] });
  return false;
}
