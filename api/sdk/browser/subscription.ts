import { base64url } from './base64url.ts';
import { isYoung, wait } from './clock.ts';
import type { Device } from './device.ts';
import { heedChoices } from './preferences/choices.ts';
import { isOut, noesOf, outdated } from './profile.ts';
import { inTurn, type Look, STOPPED } from './queue.ts';
import { changeProfile, type Profile } from './store.ts';
import { secondsOnSite } from './time-on-site.ts';
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
  isYoung(sent.atMs, TELL_AGAIN_MS) &&
  Object.keys(tags).length === 0;

/** `later`: the API cannot be reached. `refused`: it does not take a subscription at this host. */
type Ending = 'subscribed' | 'later' | { readonly refused: string };

/** A push service may give a dead address for a moment after the one before was ended. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAITS = 4;

/**
 * Makes the browser's subscription correct: present, made with the app's current key, and known to the API. Permission
 * must have been given.
 * @param noes how many there were when the reader last said yes: one that came since ends it.
 * @throws Error where the browser does not subscribe, the key is not available, or the API refuses to the end.
 */
export async function ensureSubscribed(device: Device, noes: number): Promise<'later' | undefined> {
  const isYes = (now: Profile): boolean => now.choice === 'in' && noesOf(now) === noes;
  for (let tries = 0; ; tries++) {
    const ending = await inTurn(isYes, (look) => subscribeOnce(device, look));
    if (ending === STOPPED) await inTurn(isOut, (look) => leave(device, look));
    if (ending === 'later') return ending;
    if (typeof ending !== 'object') return;
    if (tries === MAX_WAITS) {
      await inTurn(isYes, tellGone);
      throw new Error(`Broadside: the API refuses subscriptions at ${ending.refused}`);
    }
    // Not within the turn: a no does not wait for it.
    await wait(FIRST_WAIT_MS * 2 ** tries);
  }
}

async function subscribeOnce(device: Device, look: Look): Promise<Ending> {
  const push = await device.ready();
  const {
    vapidPublicKey: key,
    fallbackText,
    hasPreferences,
    preferencesButton,
    appBadge,
  } = await readApp(await look());
  const texts = { fallbackText: fallbackText ?? '', preferencesButton: preferencesButton ?? '', appBadge };
  const known = await look();
  await changeProfile((now = known) => ({ ...now, ...texts }));
  const existing = await push.getSubscription();
  // Not now: on the next visit.
  if (!(await introduce(await look(), existing))) return 'later';
  if (hasPreferences) await heedChoices(await look());
  const subscription = await subscriptionWith(push, key, look);
  const profile = await look();
  return profile.sent?.key === key && isSent(profile, subscription)
    ? 'subscribed'
    : tell(profile, subscription, key, look);
}

/**
 * A new secret is sent with the existing subscription, before that changes: a row of its endpoint without a
 * secret is then this browser's.
 *
 * Where the browser has no record of the subscription, the row may have a secret that was lost. The API does
 * not reveal it, because no other browser may learn it either: the subscription is dropped, and a row that was
 * taken over moves to the next one.
 * @returns false where the API cannot be reached.
 */
async function introduce(profile: Profile, existing: PushSubscription | null): Promise<boolean> {
  if (!profile.isSecretNew) return true;
  let told: Profile['sent'] | undefined;
  if (existing !== null) {
    const key = keyOf(existing);
    const sent = await post(profile, 'subscribe', bodyOf(profile, existing, key));
    if (sent === 'later') return false;
    if (!profile.sent?.endpoint) await existing.unsubscribe();
    // Refused: it is another sender's.
    else if (sent === 'taken') told = sentNow(existing, key);
  }
  await changeProfile((now = profile) => ({ ...now, isSecretNew: false, sent: told ?? now.sent }));
  return true;
}

async function subscriptionWith(push: PushManager, key: string, look: Look): Promise<PushSubscription> {
  const existing = await push.getSubscription();
  await look();
  if (existing !== null) {
    if (keyOf(existing) === key) return existing;
    // Browsers refuse another key while the old subscription lasts.
    await existing.unsubscribe();
    await look();
  }
  return push.subscribe({
    __proto__: null,
    userVisibleOnly: true,
    applicationServerKey: key,
  } as PushSubscriptionOptionsInit);
}

export const keyOf = ({ options }: PushSubscription): string =>
  base64url(new Uint8Array(options.applicationServerKey ?? []));

const bodyOf = (
  { userId, externalIds, categoryIds, promptVariant }: Profile,
  subscription: PushSubscription,
  vapidKey: string,
) => ({
  userId,
  subscription: subscription.toJSON(),
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

async function tell(
  profile: Profile,
  subscription: PushSubscription,
  key: string,
  look: Look,
): Promise<Ending> {
  const seconds = secondsOnSite();
  const body = { ...bodyOf(profile, subscription, key), secondsOnSite: seconds };
  let sent = await post(profile, 'subscribe', body);
  await look();
  const isRefused = sent === 'refused';
  if (isRefused) {
    // It may be what the page says about the reader, and no reason to lose them: the subscription alone decides.
    const { userId, vapidKey } = body;
    sent = await post(profile, 'subscribe', { userId, vapidKey, subscription: body.subscription });
    await look();
  }
  if (sent === 'later') return sent;
  if (sent === 'refused') {
    await subscription.unsubscribe();
    return { refused: new URL(subscription.endpoint).host };
  }
  const told = sentNow(subscription, key);
  secondsOnSite(seconds);
  if (isRefused) {
    await changeProfile((now = profile) => ({ ...now, sent: outdated(told) }));
    throw new Error('Broadside: ids or categories were refused');
  }
  await changeProfile((now = profile) => ({ ...now, sent: told, isChoiceNew: false, lostAtMs: 0 }));
  await sendTags({ ...profile, sent: told });
  return 'subscribed';
}

/** Tags wait in the profile until the API has them. @throws Error where it refuses them; they are dropped. */
export async function sendTags(profile: Profile): Promise<void> {
  const { userId, tags } = profile;
  const list = Object.entries(tags).map(([key, value]) => ({ key, value }));
  if (list.length === 0 || !profile.sent?.endpoint || profile.isSecretNew) return;
  const sent = await post(profile, 'subscription-tags', { userId, tags: list });
  if (sent === 'later') return;
  // Values set meanwhile stay.
  await changeProfile((now = profile) => ({
    ...now,
    tags: Object.fromEntries(Object.entries(now.tags).filter(([key, value]) => tags[key] !== value)),
  }));
  if (sent === 'refused') throw new Error('Broadside: the tags were refused');
}

/** After a no: the browser has no subscription, and the API knows. */
export async function leave(device: Pick<Device, 'read'>, look: Look): Promise<void> {
  const existing = await device.read();
  // This browser's own row without an endpoint comes first: the unsubscribe has no endpoint to find it by.
  await introduce(await look(), existing);
  await look();
  await existing?.unsubscribe();
  await sendGone(await look());
}

/** Repeated until the API knows that the browser has no subscription any more. */
export async function tellGone(look: Look): Promise<void> {
  const profile = await look();
  if (profile.sent !== null) await sendGone(profile);
}

async function sendGone(profile: Profile): Promise<void> {
  const { userId, lostAtMs } = profile;
  const sent = await post(profile, 'update_subscription', {
    userId,
    subscription: null,
    revoked: lostAtMs ? true : undefined,
  });
  if (sent !== 'later') await changeProfile((now = profile) => ({ ...now, sent: null }));
}
