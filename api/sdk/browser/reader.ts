import { flushBeacons } from './beacons.ts';
import type { BroadsideOptions, BroadsideState } from './broadside.d.ts';
import { hasPush, needsHomeScreen, readSubscription, readyPushManager } from './device.ts';
import { outdated, profileOf } from './profile.ts';
import { changeProfile, type Profile, readProfile } from './store.ts';
import { ensureSubscribed, introduce, isSent, sendGone } from './subscription.ts';
import { isDue } from './visit.ts';

/** The person at this browser, and the page's settings for them. */
export interface Reader {
  readonly options: BroadsideOptions;
  /** False: this browser cannot subscribe. */
  readonly isAble: boolean;
  /** `subscribe()` timed out, and has not ended since. */
  isTimedOut: boolean;
  change(changes: (profile: Profile) => Partial<Profile>): Promise<Profile>;
}

export async function meetReader(options: BroadsideOptions): Promise<Reader> {
  const changeFrom = (
    start: (kept: Profile | undefined) => Profile,
    changes: (profile: Profile) => Partial<Profile>,
  ): Promise<Profile> =>
    changeProfile((kept) => {
      const profile = start(kept);
      return { ...profile, ...changes(profile) };
    });
  // Without storage no reader can be subscribed.
  const isAble = await changeFrom(
    (kept) => profileOf(options, kept),
    () => ({}),
  ).then(
    () => hasPush,
    () => false,
  );
  return {
    options,
    isAble,
    isTimedOut: false,
    // The page's first options do not undo its later calls.
    change: (changes) => changeFrom((kept) => kept ?? profileOf(options, kept), changes),
  };
}

export async function stateOf({ options, isAble, isTimedOut }: Reader): Promise<BroadsideState> {
  if (!isAble) return needsHomeScreen ? 'needs-home-screen' : 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const profile = await readProfile();
  if (profile?.choice === 'out') return 'opted-out';
  const isOn = profile?.choice === 'in' && profile.sent !== null && Notification.permission === 'granted';
  if (isOn && (await readSubscription(options)) !== null) return 'subscribed';
  return isTimedOut ? 'timed-out' : 'unsubscribed';
}

const renew = async ({ options }: Reader, profile: Profile): Promise<void> =>
  ensureSubscribed(await readyPushManager(options), profile);

/** A browser whose push service cannot be reached waits silently and without end. */
const TIMEOUT_MS = 30_000;

/**
 * @param onLate called where it ends after it timed out.
 * @throws Error outside of a gesture, where it cannot be done now, or where that takes too long.
 */
export async function subscribe(reader: Reader, onLate: () => void): Promise<void> {
  if (!reader.isAble) return;
  if (Notification.permission === 'default' && navigator.userActivation?.isActive === false) {
    throw new Error('Broadside: subscribe() asks for the permission: call it from a click or a key press');
  }
  // Before anything is awaited: browsers ask only while they handle the gesture.
  if ((await Notification.requestPermission()) !== 'granted') return;
  reader.isTimedOut = false;
  let isLate = false;
  const work = enrol(reader);
  const ended = (): void => {
    if (!isLate) return;
    // First: the announced state is the one without it.
    reader.isTimedOut = false;
    onLate();
  };
  work.then(ended, ended);
  let timer = 0;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reader.isTimedOut = true;
      reject(new Error(`Broadside: not subscribed within ${TIMEOUT_MS / 1_000} s`));
    }, TIMEOUT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function enrol(reader: Reader): Promise<void> {
  await renew(reader, await reader.change(() => ({ choice: 'in' })));
  if ((await readProfile())?.sent == null) throw new Error('Broadside: the API cannot be reached now');
}

export async function unsubscribe(reader: Reader): Promise<void> {
  if (!reader.isAble) return;
  const profile = await reader.change(() => ({ choice: 'out', promptVariant: undefined }));
  const subscription = await readSubscription(reader.options);
  // This browser's own row without an endpoint comes first: the unsubscribe has no endpoint to find it by.
  await introduce(profile, subscription);
  await subscription?.unsubscribe();
  if (profile.sent !== null) await sendGone(profile);
}

/** The subscription may be gone, the app's key may have changed, and a change may wait to be sent. */
export async function refresh(reader: Reader): Promise<void> {
  if (!reader.isAble) return;
  let profile = await reader.change(() => ({}));
  if (profile.choice === 'out' || Notification.permission !== 'granted') {
    return profile.sent === null ? undefined : sendGone(profile);
  }
  const subscription = await readSubscription(reader.options);
  if (profile.choice === 'none') {
    // A permission alone is no yes to these messages; a subscription is, also one from before Broadside.
    if (subscription === null) return;
    profile = await reader.change(() => ({ choice: 'in' }));
  }
  if (isDue() || (subscription !== null && !isSent(profile, subscription))) await renew(reader, profile);
  await flushBeacons();
}

/** Changes the reader's data, and sends it where the browser is subscribed. */
export async function sendChanges(
  reader: Reader,
  changes: (profile: Profile) => Partial<Profile>,
): Promise<void> {
  const profile = await reader.change((kept) => ({ ...changes(kept), sent: outdated(kept.sent) }));
  if (reader.isAble && profile.choice === 'in' && profile.sent !== null) await renew(reader, profile);
}
