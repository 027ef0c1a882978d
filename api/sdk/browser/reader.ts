import { flushBeacons } from './beacons.ts';
import type { BroadsideOptions, BroadsideState } from './broadside.d.ts';
import { hasPush, needsHomeScreen, readSubscription, readyPushManager } from './device.ts';
import { outdated, profileOf } from './profile.ts';
import { changeProfile, type Profile, readProfile } from './store.ts';
import { ensureSubscribed, isTold, tellGone } from './subscription.ts';
import { isDue } from './visit.ts';

/** The person at this browser, and what the page wants of them. */
export interface Reader {
  readonly options: BroadsideOptions;
  /** False: nobody can be subscribed here. */
  readonly isAble: boolean;
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
  // Where nothing can be kept, nobody can be subscribed.
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
    // What the page said at first does not undo what it said since.
    change: (changes) => changeFrom((kept) => kept ?? profileOf(options, kept), changes),
  };
}

export async function stateOf({ options, isAble }: Reader): Promise<BroadsideState> {
  if (!isAble) return needsHomeScreen ? 'needs-home-screen' : 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const profile = await readProfile();
  if (profile?.choice === 'out') return 'opted-out';
  const isOn = profile?.choice === 'in' && profile.sent !== null && Notification.permission === 'granted';
  return isOn && (await readSubscription(options)) !== null ? 'subscribed' : 'unsubscribed';
}

const renew = async ({ options }: Reader, profile: Profile): Promise<void> =>
  ensureSubscribed(await readyPushManager(options), profile);

/** @throws Error outside of a gesture, or where it cannot be done now. */
export async function subscribe(reader: Reader): Promise<void> {
  if (!reader.isAble) return;
  if (Notification.permission === 'default' && navigator.userActivation?.isActive === false) {
    throw new Error('Broadside: subscribe() asks for the permission: call it from a click or a key press');
  }
  // Before anything is awaited: browsers ask only while they handle the gesture.
  if ((await Notification.requestPermission()) !== 'granted') return;
  await renew(reader, await reader.change(() => ({ choice: 'in' })));
  if ((await readProfile())?.sent == null) throw new Error('Broadside: the API cannot be reached now');
}

export async function unsubscribe(reader: Reader): Promise<void> {
  if (!reader.isAble) return;
  const profile = await reader.change(() => ({ choice: 'out' }));
  await (await readSubscription(reader.options))?.unsubscribe();
  if (profile.sent !== null) await tellGone(profile);
}

/** The subscription may be gone, the app's key another one, and something may wait to be told. */
export async function refresh(reader: Reader): Promise<void> {
  if (!reader.isAble) return;
  let profile = await reader.change(() => ({}));
  if (profile.choice === 'out' || Notification.permission !== 'granted') {
    return profile.sent === null ? undefined : tellGone(profile);
  }
  const subscription = await readSubscription(reader.options);
  if (profile.choice === 'none') {
    // A permission alone is no yes to these messages; a subscription is, also one from before Broadside.
    if (subscription === null) return;
    profile = await reader.change(() => ({ choice: 'in' }));
  }
  if (isDue() || (subscription !== null && !isTold(profile, subscription))) await renew(reader, profile);
  await flushBeacons();
}

/** Changes what the API is told of the reader, and tells it where somebody is subscribed. */
export async function tellChanged(
  reader: Reader,
  changes: (profile: Profile) => Partial<Profile>,
): Promise<void> {
  const profile = await reader.change((kept) => ({ ...changes(kept), sent: outdated(kept.sent) }));
  if (reader.isAble && profile.choice === 'in' && profile.sent !== null) await renew(reader, profile);
}
