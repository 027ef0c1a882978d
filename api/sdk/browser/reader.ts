import type { BroadsideOptions, BroadsideState } from './broadside.d.ts';
import { limited } from './clock.ts';
import { type Device, deviceOf, hasPush, needsHomeScreen } from './device.ts';
import { isIn, isOut, noesOf, outdated, profileOf, saidNo } from './profile.ts';
import { inTurn, type Look } from './queue.ts';
import { changeProfile, type Profile, readProfile } from './store.ts';
import { ensureSubscribed, isSent, keyOf, leave, sendTags, tellGone } from './subscription.ts';
import { isDue } from './visit.ts';
import { readApp } from './wire.ts';

/** The person at this browser, and the page's settings for them. */
export interface Reader {
  readonly device: Device;
  /** `subscribe()` timed out, and has not ended since. */
  isTimedOut: boolean;
  /** @throws Error where the browser's storage cannot be had now. */
  change(changes: (profile: Profile) => Partial<Profile>): Promise<Profile>;
}

export function meetReader(options: BroadsideOptions): Reader {
  let hasMet = false;
  return {
    device: deviceOf(options),
    isTimedOut: false,
    async change(changes) {
      const changed = await changeProfile((kept) => {
        // The page's first options do not undo its later calls.
        const profile = hasMet && kept ? kept : profileOf(options, kept);
        return { ...profile, ...changes(profile) };
      });
      hasMet = true;
      return changed;
    },
  };
}

/** Without storage, for as long as that lasts, no reader is subscribed. */
export async function readKept(): Promise<Profile | undefined> {
  try {
    return await readProfile();
  } catch {
    return;
  }
}

export async function stateOf({ device, isTimedOut }: Reader): Promise<BroadsideState> {
  if (!hasPush) return needsHomeScreen ? 'needs-home-screen' : 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const profile = await readKept();
  if (profile?.choice === 'out') return 'opted-out';
  if (profile?.choice === 'in' && profile.sent?.endpoint && Notification.permission === 'granted') {
    const subscription = await device.read();
    // That of the browser is the one that the API took.
    if (subscription?.endpoint === profile.sent.endpoint) return 'subscribed';
  }
  return isTimedOut ? 'timed-out' : 'unsubscribed';
}

/** A browser whose push service cannot be reached waits silently and without end. */
const TIMEOUT_MS = 30_000;

/**
 * @param onLate called where it ends after it timed out.
 * @throws Error outside of a gesture, where it cannot be done now, or where that takes too long.
 */
export async function subscribe(reader: Reader, onLate: () => void): Promise<void> {
  if (!hasPush) return;
  if (Notification.permission === 'default' && navigator.userActivation?.isActive === false) {
    throw new Error('Broadside: call subscribe() from a click or key press');
  }
  // A no that is said from now on, such as while the browser asks, comes after this yes.
  const before = reader.change(() => ({}));
  before.catch(() => {});
  // Before anything is awaited: browsers ask only while they handle the gesture.
  if ((await Notification.requestPermission()) !== 'granted') return;
  reader.isTimedOut = false;
  let isLate = false;
  const work = (async () => {
    try {
      await enrol(reader, noesOf(await before));
    } finally {
      // First: the announced state is the one without it.
      if (isLate) {
        reader.isTimedOut = false;
        onLate();
      }
    }
  })();
  await limited(work, TIMEOUT_MS, () => {
    isLate = true;
    reader.isTimedOut = true;
    throw new Error(`Broadside: not subscribed within ${TIMEOUT_MS / 1_000} s`);
  });
}

async function enrol({ device, change }: Reader, noes: number): Promise<void> {
  await change((kept) => (noesOf(kept) === noes ? { choice: 'in' } : {}));
  if ((await ensureSubscribed(device, noes)) === 'later')
    throw new Error('Broadside: the API is not reached');
}

/** The no is kept at once, and ends what is under way at its next step. */
export async function unsubscribe({ device, change }: Reader): Promise<void> {
  if (!hasPush) return;
  await change(saidNo);
  await inTurn(isOut, (look) => leave(device, look));
}

/** The subscription may be gone, the app's key may have changed, and a change may wait to be sent. */
export async function refresh({ device, change }: Reader): Promise<void> {
  if (!hasPush) return;
  let profile = await change(() => ({}));
  // Whoever is here has seen what there is.
  if (profile.appBadge) navigator.clearAppBadge?.().catch(() => {});
  if (profile.choice === 'out') return void (await inTurn(isOut, (look) => endLeftover(device, look)));
  if (Notification.permission !== 'granted') return void (await inTurn(hasNoPermission, tellGone));
  const subscription = await device.read();
  if (profile.choice === 'none') {
    // A permission alone is not a yes to these messages; a subscription is, also one from before Broadside.
    if (subscription === null) return;
    profile = await change(({ choice }) => ({ choice: choice === 'none' ? 'in' : choice }));
  }
  if (isDue() || subscription === null || !isSent(profile, subscription))
    await ensureSubscribed(device, noesOf(profile));
}

/** A page that was left, or an earlier version, may not have ended what a no ends. Another sender's stays. */
async function endLeftover(device: Device, look: Look): Promise<void> {
  const existing = await device.read();
  const profile = await look();
  const key = existing && keyOf(existing);
  const isOurs = key && (key === profile.sent?.key || key === (await readApp(profile)).vapidPublicKey);
  return isOurs ? leave(device, look) : tellGone(look);
}

const hasNoPermission = (): boolean => Notification.permission !== 'granted';

/** Changes the reader's data, and sends it where the browser is subscribed. */
export async function sendChanges(
  { device, change }: Reader,
  changes: (profile: Profile) => Partial<Profile>,
): Promise<void> {
  const profile = await change((kept) => ({ ...changes(kept), sent: outdated(kept.sent) }));
  if (hasPush && profile.choice === 'in' && profile.sent !== null)
    await ensureSubscribed(device, noesOf(profile));
}

/** Kept until the reader is subscribed, and then sent. */
export async function setTags({ change }: Reader, tags: Profile['tags']): Promise<void> {
  const { choice } = await change((kept) => ({ tags: { ...kept.tags, ...tags } }));
  if (choice === 'in') await inTurn(isIn, async (look) => sendTags(await look()));
}
