import { limited } from './clock.ts';
import { Own } from './own-promise.ts';

/**
 * The SDK's data in IndexedDB: pages and the service worker both read it, and the worker runs where no page is
 * open.
 */
export interface Profile {
  readonly appId: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /**
   * 256 random bits, base64url. To the API they are this browser: with them alone its row is changed. Only a
   * profile that an earlier version kept has none.
   */
  readonly secret?: string;
  /** The API has not heard of the secret together with the subscription that was there before it. */
  readonly isSecretNew?: boolean;
  /** Names the browser's user to the API. */
  readonly userId: string;
  readonly externalIds: Readonly<Record<string, string>>;
  /** Null: never chosen. */
  readonly categoryIds: readonly number[] | null;
  /** Not sent yet. */
  readonly tags: Readonly<Record<string, string>>;
  /** The reader's choice here: none, yes, or no more. */
  readonly choice: 'none' | 'in' | 'out';
  /** How often a no was said here: whether one came since. An earlier version counted none. */
  readonly noes?: number;
  /** When "not now" was said; 0: never. */
  readonly laterAtMs: number;
  /** The prompt that the reader said yes to. */
  readonly promptVariant?: string | undefined;
  /** The app's, shown where a message cannot be read; an earlier version kept none. */
  readonly fallbackText?: string;
  /** Of the button that leads to the reader's preferences; empty: notifications have none. */
  readonly preferencesButton?: string;
  /** The icon of the installed app counts notifications. */
  readonly appBadge?: boolean | undefined;
  /** Of the reader's choices in the preference centre, as this browser knows them. */
  readonly revision?: number;
  /** The categories were chosen here since they were last sent. */
  readonly isChoiceNew?: boolean;
  /**
   * The last data that the API took; null: nothing, or unsubscribed. `atMs` 0: outdated. An empty endpoint: the API may
   * have something all the same, such as a request whose answer was lost.
   */
  readonly sent: {
    readonly endpoint: string;
    readonly key: string;
    readonly atMs: number;
    /** An earlier version sent neither. */
    readonly timeZone?: string;
    readonly language?: string;
  } | null;
}

/** A beacon that the API has not acknowledged. */
export interface KeptBeacon {
  readonly id: string;
  readonly type: 'displayed' | 'clicked' | 'closed';
  readonly action?: string;
  /** ISO 8601. */
  readonly at: string;
  readonly app: string;
  readonly delivery: string;
  readonly proof: string;
}

const DATABASE = 'broadside';
const PROFILE = 'profile';
const BEACONS = 'beacons';

const promised = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Own((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Some browsers' storage answers nothing at all until it is asked again. */
const OPEN_MS = 5_000;

/** @throws Error where the storage cannot be had now; the next call tries again. */
async function open(): Promise<IDBDatabase> {
  try {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(PROFILE);
      request.result.createObjectStore(BEACONS, { __proto__: null, keyPath: 'id' } as object);
    };
    return await limited(promised(request), OPEN_MS, () => {
      // What comes too late is not kept open.
      request.onsuccess = () => request.result.close();
      throw new Error('no answer');
    });
  } catch (error) {
    throw new Error(`Broadside: IndexedDB does not open: ${error}`);
  }
}

/** Runs one transaction; resolves when it is on disk. */
async function within<Value>(
  name: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<Value> | Value,
): Promise<Value> {
  const database = await open();
  try {
    const transaction = database.transaction(name, mode);
    const done = new Own<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    // The caller that awaits `done` below gets the error; an earlier failure must not become an unhandled
    // rejection.
    done.catch(() => {});
    const value = await work(transaction.objectStore(name));
    await done;
    return value;
  } finally {
    database.close();
  }
}

export const readProfile = (): Promise<Profile | undefined> =>
  within(PROFILE, 'readonly', (store) => promised<Profile | undefined>(store.get(PROFILE)));

/** A browser's storage may hang. */
const PATIENCE_MS = 1_000;

/** For a notification, which is shown in time: undefined where there is none, or it is not read by then. */
export async function readProfileSoon(): Promise<Profile | undefined> {
  try {
    return await limited(readProfile(), PATIENCE_MS, () => undefined);
  } catch {
    return;
  }
}

/** One change, whatever other pages change at the same time. */
export const changeProfile = (change: (profile: Profile | undefined) => Profile): Promise<Profile> =>
  within(PROFILE, 'readwrite', async (store) => {
    const changed = change(await promised<Profile | undefined>(store.get(PROFILE)));
    store.put(changed, PROFILE);
    return changed;
  });

/** A device that is offline for weeks keeps no more than this. */
const MAX_BEACONS = 500;

export const keepBeacon = (beacon: KeptBeacon): Promise<void> =>
  within(BEACONS, 'readwrite', async (store) => {
    if ((await promised(store.count())) < MAX_BEACONS) store.put(beacon);
  });

export const keptBeacons = (): Promise<KeptBeacon[]> =>
  within(BEACONS, 'readonly', (store) => promised<KeptBeacon[]>(store.getAll()));

export const dropBeacons = (ids: readonly string[]): Promise<void> =>
  within(BEACONS, 'readwrite', (store) => {
    for (const id of ids) store.delete(id);
  });
