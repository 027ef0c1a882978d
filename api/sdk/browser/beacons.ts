import { dropBeacons, type KeptBeacon, keepBeacon, keptBeacons, readProfile } from './store.ts';
import { post } from './wire.ts';

/** The API's bound for one request. */
const MAX_EVENTS = 10;
/** The oldest time that the API accepts: an older event would get a wrong one. */
const MAX_AGE_MS = 30 * 86_400_000;

export type Happened = Omit<KeptBeacon, 'id' | 'at'>;

/**
 * Stored before it is sent, so that it survives being offline and a worker that is ended at any line. Its id
 * stays the same, so that a beacon whose answer was lost counts once. @returns whether nothing is left.
 */
export async function sendHappened(happened: Happened): Promise<boolean> {
  await keepBeacon({ ...happened, id: crypto.randomUUID(), at: new Date().toISOString() });
  return flushBeacons();
}

let flushed: Promise<boolean> | undefined;

/** Sends the stored beacons, one flush after the other: those stored during one are sent by the next. */
export function flushBeacons(): Promise<boolean> {
  const before = flushed;
  flushed = (async () => {
    try {
      await before;
    } catch {
      // Its own caller's.
    }
    return flush();
  })();
  return flushed;
}

/** False: the API cannot be reached, or asks to be left alone, so the rest stays kept. */
async function flush(): Promise<boolean> {
  const profile = await readProfile();
  if (profile === undefined) return true;
  const { userId } = profile;
  for (const batch of batchesOf(await withoutOld(await keptBeacons()))) {
    const [{ app, delivery, proof }] = batch;
    const events = batch.map(({ id, type, action, at }) => ({ id, type, at, action }));
    const sent = await post({ ...profile, appId: app }, 'beacon', { delivery, proof, userId, events });
    if (sent === 'later') return false;
    // Also where it was refused: it always would be.
    await dropBeacons(batch.map(({ id }) => id));
  }
  return true;
}

/** One from a clock that was ahead is sent, and the API bounds it: a click is not lost for it. */
async function withoutOld(kept: readonly KeptBeacon[]): Promise<KeptBeacon[]> {
  const isOld = ({ at }: KeptBeacon): boolean => Date.now() - Date.parse(at) > MAX_AGE_MS;
  const old = kept.filter(isOld);
  if (old.length > 0) await dropBeacons(old.map(({ id }) => id));
  return kept.filter((beacon) => !isOld(beacon));
}

type Batch = [KeptBeacon, ...KeptBeacon[]];

/** One request is about one delivery. */
function batchesOf(beacons: readonly KeptBeacon[]): Batch[] {
  const batches: Batch[] = [];
  for (const beacon of beacons) {
    const open = batches.find(
      ([first, ...rest]) => first.proof === beacon.proof && rest.length < MAX_EVENTS - 1,
    );
    if (open === undefined) batches.push([beacon]);
    else open.push(beacon);
  }
  return batches;
}
