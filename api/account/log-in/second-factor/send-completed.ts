import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserId } from '../../../../engine/contract/ids.ts';
import { type FieldErrors, sendFieldErrors, sendTooMany } from '../../../../engine/kit/http/problem.ts';
import { endSession } from '../../../auth/session-store.ts';
import type { Me } from '../../own/me/schema.ts';
import { readMe } from '../../own/me/store.ts';
import type { AccountParts } from '../../parts.ts';
import type { Completed } from './complete-log-in.ts';

/** What a second step answers. @param wrong where what was shown is wrong. */
export async function sendCompleted(
  parts: AccountParts,
  request: FastifyRequest,
  reply: FastifyReply,
  ending: Completed,
  wrong: FieldErrors,
): Promise<FastifyReply | { data: Me }> {
  switch (ending.kind) {
    case 'over':
      return reply.code(401).send({ message: 'The log-in took too long: log in again.' });
    case 'too-many':
      return sendTooMany(reply, ending.waitSeconds);
    case 'wrong':
      return sendFieldErrors(reply, wrong);
    case 'in':
      parts.halfCookie.write(request, reply, '', 0);
      return sendLoggedIn(parts, request, reply, ending);
  }
}

interface Inside {
  readonly secret: string;
  readonly userId: UserId;
  readonly passwordHash: string | null;
}

/** The session's cookie, in place of that of a session before. */
export async function sendLoggedIn(
  { database, cookie, devices }: AccountParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, userId, passwordHash }: Inside,
): Promise<{ data: Me }> {
  const replaced = cookie.read(request);
  if (replaced !== null) await endSession(database, replaced);
  cookie.write(request, reply, secret);
  devices.write(request, reply, { id: userId, passwordHash });
  return { data: await readMe(database, userId, secret) };
}
