import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendUnavailable } from '../../../engine/adapters/http/errors.ts';
import { sendFieldErrors, sendTooMany } from '../../../engine/adapters/http/problem.ts';
import { callerOf } from '../../auth/caller.ts';
import { findPassword } from '../me/store.ts';
import type { AccountParts } from '../parts.ts';

/**
 * Whether the request gives its user's password; else it is answered. A session left open must be no way to change
 * who gets in; guesses count like failed log-ins.
 */
export async function givesOwnPassword(
  { database, passwords, logInLimits, devices }: AccountParts,
  request: FastifyRequest,
  reply: FastifyReply,
  password: string,
): Promise<boolean> {
  const { userId: id } = callerOf(request);
  const own = await findPassword(database, id);
  if (own?.hash == null) return refuse(reply);
  const device = devices.find(devices.read(request), { id, passwordHash: own.hash });
  const attempt = { address: request.ip, email: own.email, device };
  const waitSeconds = logInLimits.take(attempt);
  if (waitSeconds > 0) {
    sendTooMany(reply, waitSeconds);
    return false;
  }
  const check = await passwords.check(password, own.hash);
  if (check === 'wrong') return refuse(reply);
  logInLimits.giveBack(attempt);
  if (check !== 'busy') return true;
  sendUnavailable(reply);
  return false;
}

function refuse(reply: FastifyReply): false {
  sendFieldErrors(reply, { current_password: ['The current_password field is wrong.'] });
  return false;
}
