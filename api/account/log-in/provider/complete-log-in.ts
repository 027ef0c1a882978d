import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId, UserId } from '../../../../engine/contract/ids.ts';
import { noteChange } from '../../../auth/audit.ts';
import type { Device, DeviceCookie } from '../../../auth/device-cookie.ts';
import { lockUsers } from '../../../auth/locks.ts';
import type { SessionPlace } from '../../../auth/session-place.ts';
import type { Emails } from '../../emails/write-email.ts';
import { beginHalf, beginSession, noteNewDevice } from '../password/log-in.ts';
import { hasFactor } from '../second-factor/store.ts';
import { admitPerson, type Refusal } from './admit-person.ts';
import { type ProviderParts, providerOfLogIn } from './begin-log-in.ts';
import { takeProviderLogIn } from './log-in-store.ts';
import { logInKeysOf, type ProvidedPerson } from './openid.ts';
import type { Provider } from './provider.ts';
import { sealLogOut } from './session-link.ts';
import { holdProvider } from './store.ts';

export interface Callback {
  /** The secret of the cookie that the beginning left. */
  readonly secret: string;
  /** Whose provider's redirect address the browser came back to; null: the installation's. */
  readonly whose: OrganizationId | null;
  /** With which the browser came back. */
  readonly url: URL;
  readonly devices: readonly Device[];
  readonly place: SessionPlace;
  readonly requestId: string;
}

export type ProviderEnding =
  | {
      readonly kind: 'in';
      readonly secret: string;
      readonly userId: UserId;
      /** Of the user, for the device's entry. */
      readonly passwordHash: string | null;
      readonly back: string;
    }
  /** A code completes the log-in: the user has a second factor here, whatever the provider asked for. */
  | { readonly kind: 'half'; readonly secret: string; readonly back: string }
  | {
      readonly kind: 'failed';
      readonly why: Refusal | 'over' | 'away' | 'refused' | 'wrong';
      /** For the log of the operator; null: there is nothing to say. */
      readonly reason: string | null;
    };

const failed = (
  why: Extract<ProviderEnding, { kind: 'failed' }>['why'],
  reason: string | null = null,
): ProviderEnding => ({ kind: 'failed', why, reason });

interface CompleteParts extends ProviderParts {
  readonly emails: Emails | null;
  readonly devices: Pick<DeviceCookie, 'find'>;
}

/**
 * The browser is back from the provider. The row goes first: a code that comes twice is not even asked about. Nor is
 * one that came to another provider's address: it may be that provider's, and would be handed to this one.
 */
export async function completeProviderLogIn(
  parts: CompleteParts,
  callback: Callback,
): Promise<ProviderEnding> {
  const begun = await takeProviderLogIn(parts.database, callback.secret);
  const provider = begun === null ? null : await providerOfLogIn(parts, begun.providerId);
  if (begun === null || provider === null || provider.issuer !== begun.issuer) return failed('over');
  if (provider.organizationId !== callback.whose) return failed('wrong', OTHER_ADDRESS);
  const asked = await parts.openid.complete(provider, callback.url, logInKeysOf(callback.secret));
  if (asked.kind !== 'answered') return failed(asked.kind, asked.reason);
  const login = { callback, provider, person: asked.value, back: begun.back };
  const ending = await parts.database.transaction((sql) => enter(sql, parts, login));
  if (ending.kind === 'failed') await noteRefusal(parts, login, ending.why);
  return ending;
}

const OTHER_ADDRESS = 'the browser came back to the redirect address of another provider';

interface LogIn {
  readonly callback: Callback;
  readonly provider: Provider;
  readonly person: ProvidedPerson;
  readonly back: string;
}

async function enter(
  sql: Sql,
  { sealer, emails, devices }: CompleteParts,
  { callback, provider, person, back }: LogIn,
): Promise<ProviderEnding> {
  await lockUsers(sql);
  if (!(await holdProvider(sql, provider))) return failed('over');
  const admitted = await admitPerson(sql, { provider, person, requestId: callback.requestId });
  if (admitted.kind === 'refused') return failed(admitted.why);
  const { user } = admitted;
  const link = { providerId: provider.id, sealed: sealLogOut(sealer, user.id, person) };
  const { place, requestId } = callback;
  const checked = { user, passwordHash: null, fresh: null, provider: link, place, requestId };
  if (await hasFactor(sql, user.id)) return { kind: 'half', secret: await beginHalf(sql, checked), back };
  const secret = await beginSession(sql, checked);
  if (secret === null) return failed('over');
  const { id, passwordHash } = user;
  if (devices.find(callback.devices, { id, passwordHash }) === null)
    await noteNewDevice(sql, emails, checked);
  return { kind: 'in', secret, userId: id, passwordHash, back };
}

/** In the organization's log, where its provider vouched for somebody who does not get in. */
async function noteRefusal({ database }: CompleteParts, login: LogIn, reason: string): Promise<void> {
  const { provider, person, callback } = login;
  if (provider.organizationId === null) return;
  const actor = {
    organizationId: provider.organizationId,
    userId: null,
    tokenId: null,
    via: 'session',
    requestId: callback.requestId,
  } as const;
  const detail = { reason, email: person.email, subject: person.subject.slice(0, 255) };
  await noteChange(database, actor, { action: 'provider.log-in-refused', subjectId: provider.name, detail });
}
