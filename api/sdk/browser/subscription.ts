import { base64url } from './base64url.ts';
import { heedChoices } from './preferences/choices.ts';
import { changeProfile, type Profile } from './store.ts';
import { post, readApp } from './wire.ts';

/** An unchanged subscription is sent again after this time: it shows that the browser is active. */
const TELL_AGAIN_MS = 86_400_000;

/** They change as the reader travels, or sets the browser. */
const reader = () => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  language: navigator.language,
});

/** Whether the API knows all of it already. */
export const isSent = ({ sent, tags }: Profile, { endpoint }: PushSubscription): boolean =>
  sent?.endpoint === endpoint &&
  sent.timeZone === reader().timeZone &&
  sent.language === reader().language &&
  Date.now() - sent.atMs < TELL_AGAIN_MS &&
  Object.keys(tags).length === 0;

/**
 * Makes the browser's subscription correct: present, and made with the app's current key; and sends it to the
 * API where it changed. Permission must have been given.
 * @throws Error where the browser does not subscribe, the key is not available, or the API refuses.
 */
export async function ensureSubscribed(push: PushManager, profile: Profile): Promise<void> {
  const { vapidPublicKey: key, fallbackText, hasPreferences, preferencesButton } = await readApp(profile);
  const texts = { fallbackText: fallbackText ?? '', preferencesButton: preferencesButton ?? '' };
  const kept = await changeProfile((now = profile) => ({ ...now, ...texts }));
  const existing = await push.getSubscription();
  const introduced = await introduce(kept, existing);
  // Not now: on the next visit.
  if (introduced === null) return;
  const known = hasPreferences ? await heedChoices(introduced) : introduced;
  if (known === null) return void (await existing?.unsubscribe());
  const subscription = await subscriptionWith(push, key);
  if (known.sent?.key !== key || !isSent(known, subscription)) await tell(known, subscription, key);
}

/**
 * A new secret is sent with the existing subscription, before that changes: a row of its endpoint without a
 * secret is then this browser's.
 *
 * Where the browser has no record of the subscription, the row may have a secret that was lost. The API does
 * not reveal it, because no other browser may learn it either: the subscription is dropped, and a row that was
 * taken over moves to the next one.
 * @returns null where the API cannot be reached.
 */
export async function introduce(
  profile: Profile,
  existing: PushSubscription | null,
): Promise<Profile | null> {
  if (!profile.isSecretNew) return profile;
  let told: Profile['sent'] | undefined;
  if (existing !== null) {
    const key = keyOf(existing);
    const sent = await post(profile, 'subscribe', bodyOf(profile, existing, key));
    if (sent === 'later') return null;
    if (profile.sent === null) await existing.unsubscribe();
    // Refused: it is another sender's.
    else if (sent === 'taken') told = sentNow(existing, key);
  }
  return changeProfile((now = profile) => ({ ...now, isSecretNew: false, sent: told ?? now.sent }));
}

async function subscriptionWith(push: PushManager, key: string): Promise<PushSubscription> {
  const existing = await push.getSubscription();
  if (existing !== null) {
    if (keyOf(existing) === key) return existing;
    // Browsers refuse another key while the old subscription lasts.
    await existing.unsubscribe();
  }
  return push.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

const keyOf = ({ options }: PushSubscription): string =>
  base64url(new Uint8Array(options.applicationServerKey ?? []));

const bodyOf = (
  { userId, externalIds, categoryIds, promptVariant }: Profile,
  subscription: PushSubscription,
  vapidKey: string,
) => ({
  userId,
  subscription,
  vapidKey,
  externalIds,
  promptVariant,
  ...reader(),
  ...(categoryIds === null ? {} : { categoryIds }),
});

const sentNow = ({ endpoint }: PushSubscription, key: string): NonNullable<Profile['sent']> => ({
  endpoint,
  key,
  atMs: Date.now(),
  ...reader(),
});

async function tell(profile: Profile, subscription: PushSubscription, key: string): Promise<void> {
  const sent = await post(profile, 'subscribe', bodyOf(profile, subscription, key));
  if (sent === 'refused') throw new Error('Broadside: the subscription was refused');
  if (sent === 'later') return;
  const told = sentNow(subscription, key);
  await changeProfile((now = profile) => ({ ...now, sent: told, isChoiceNew: false }));
  await sendTags({ ...profile, sent: told });
}

/** Tags wait in the profile until the API has them. @throws Error where it refuses them; they are dropped. */
export async function sendTags(profile: Profile): Promise<void> {
  const { userId, tags } = profile;
  const list = Object.entries(tags).map(([key, value]) => ({ key, value }));
  if (list.length === 0 || profile.sent === null || profile.isSecretNew) return;
  const sent = await post(profile, 'subscription-tags', { userId, tags: list });
  if (sent === 'later') return;
  // Values set meanwhile stay.
  await changeProfile((now = profile) => ({
    ...now,
    tags: Object.fromEntries(Object.entries(now.tags).filter(([key, value]) => tags[key] !== value)),
  }));
  if (sent === 'refused') throw new Error('Broadside: the tags were refused');
}

/** The browser has no subscription any more; repeated until the API knows. */
export async function sendGone(profile: Profile): Promise<void> {
  const sent = await post(profile, 'update_subscription', { userId: profile.userId, subscription: null });
  if (sent !== 'later') await changeProfile((now = profile) => ({ ...now, sent: null }));
}
