import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { sendUnavailable } from '../../../engine/kit/http/errors.ts';
import { type FieldErrors, sendFieldErrors } from '../../../engine/kit/http/problem.ts';
import { weaknessOf } from '../../auth/password-rules.ts';
import type { Passwords } from '../../auth/passwords.ts';
import { type InvitationLink, parseLink } from '../organization/invitations/link.ts';

/** What invitations and links to a new password share: a secret in the body, because URLs end up in logs. */
export const linkExample = '4.q5Yl0nVJ0m2bT3e8u6m1Yk2x4aZc7Hq9sR1tWvXy0Zg';
export const linkField = Type.String({
  maxLength: 64,
  description: 'The end of the link, after the #: `<id>.<secret>`.',
});

type Find<Open> = (link: InvitationLink) => Promise<Open | null>;

/** @returns what the link opens; null where it is none, or none any more. */
export async function openLink<Open>(text: string, find: Find<Open>): Promise<Open | null> {
  const link = parseLink(text);
  return link === null ? null : find(link);
}

/** Why a link sets no password. */
export type NotSet =
  | { readonly kind: 'invalid' | 'busy' }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/** The link is open and the password is good: what is left is the transaction that uses the link up. */
export interface Ready<Open> {
  readonly kind: 'ready';
  readonly link: InvitationLink;
  readonly open: Open;
  readonly passwordHash: string;
}

/** The link first: to hash a password costs, and strangers must not make us do it. */
export async function preparePassword<Open extends Parameters<typeof weaknessOf>[1]>(
  passwords: Passwords,
  given: { readonly link: string; readonly password: string },
  find: Find<Open>,
): Promise<Ready<Open> | NotSet> {
  const link = parseLink(given.link);
  const open = link === null ? null : await find(link);
  if (link === null || open === null) return { kind: 'invalid' };
  const weakness = await weaknessOf(given.password, open);
  if (weakness !== null)
    return { kind: 'refused', errors: { password: [`The password field ${weakness}.`] } };
  const passwordHash = await passwords.hash(given.password);
  return passwordHash === null ? { kind: 'busy' } : { kind: 'ready', link, open, passwordHash };
}

/** @param invalid one message for every reason: a specific one would reveal whether an account exists. */
export function sendNotSet(reply: FastifyReply, ending: NotSet, invalid: string): FastifyReply {
  switch (ending.kind) {
    case 'invalid':
      return sendInvalidLink(reply, invalid);
    case 'refused':
      return sendFieldErrors(reply, ending.errors);
    case 'busy':
      return sendUnavailable(reply);
  }
}

export const sendInvalidLink = (reply: FastifyReply, message: string): FastifyReply =>
  reply.code(404).send({ message });
