import { base64url } from './base64url.ts';
import type { BroadsideOptions } from './broadside.d.ts';
import { jsonOf } from './json.ts';
import type { Profile } from './store.ts';

/**
 * Of another app's profile only the secret stays, which is the browser's; the user stays unless the page names
 * another one.
 */
export function profileOf(options: BroadsideOptions, kept: Profile | undefined): Profile {
  const before = kept?.appId === options.appId ? kept : undefined;
  const userId = options.userId ?? before?.userId ?? crypto.randomUUID();
  const externalIds = { ...before?.externalIds, ...options.externalIds };
  const isNews = userId !== before?.userId || !isSame(externalIds, before.externalIds);
  const sent = before?.sent ?? null;
  return withSecret({
    ...(kept?.secret === undefined ? {} : { secret: kept.secret, isSecretNew: kept.isSecretNew ?? false }),
    appId: options.appId,
    baseUrl: options.baseUrl,
    userId,
    externalIds,
    categoryIds: before?.categoryIds ?? null,
    tags: before?.tags ?? {},
    choice: before?.choice ?? 'none',
    noes: noesOf(kept),
    laterAtMs: before?.laterAtMs ?? 0,
    lostAtMs: before?.lostAtMs ?? 0,
    promptVariant: before?.promptVariant,
    fallbackText: before?.fallbackText ?? '',
    sent: isNews ? outdated(sent) : sent,
  });
}

const SECRET_BYTES = 32;

/** The profile of an earlier version gets one. */
export const withSecret = (profile: Profile): Profile =>
  profile.secret === undefined
    ? {
        ...profile,
        secret: base64url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))),
        isSecretNew: true,
        sent: outdated(profile.sent),
      }
    : profile;

/** The API is updated again. */
export const outdated = (sent: Profile['sent']): Profile['sent'] => sent && { ...sent, atMs: 0 };

const isSame = (one: object, other: object): boolean => jsonOf(one) === jsonOf(other);

export const noesOf = (profile: Profile | undefined): number => profile?.noes ?? 0;

/** A no, however it was said. It is for whatever is under way, and for what the API may have by then. */
export const saidNo = (profile: Profile): Profile => ({
  ...profile,
  choice: 'out',
  noes: noesOf(profile) + 1,
  promptVariant: undefined,
  sent: profile.sent ?? { endpoint: '', key: '', atMs: 0 },
});

export const isIn = ({ choice }: Profile): boolean => choice === 'in';
export const isOut = ({ choice }: Profile): boolean => choice === 'out';
