import type { AppId } from '../contract/ids.ts';
import type { Welcome } from '../contract/welcome.ts';
import type { NotificationOrigin } from '../notification/notification.ts';
import { buildTexts } from '../notification/texts.ts';
import type { DeliveryIdentity } from './ports.ts';

const APPS_PER_STEP = 50;
/** Of one delivery: its audience names each of them. */
const READERS_PER_BATCH = 1_000;

/** Who waits for a welcome. A batch is one transaction: its delivery is there, or its readers still wait. */
export interface WelcomeStore {
  /** Apps with a reader whose welcome is due, the longest waiting first; none that had a batch a moment ago. */
  findDue(limit: number): Promise<AppId[]>;
  /**
   * Creates one delivery for a bounded number of the app's due readers, who then no longer wait.
   * @returns how many it serves; 0 too where another engine is at it, or the welcome was switched off.
   */
  sendDue(appId: AppId, limit: number, build: (welcome: Welcome) => DeliveryIdentity): Promise<number>;
  /** Leaves the app alone for a minute. */
  postpone(appId: AppId): Promise<void>;
}

export interface WelcomeStepDeps {
  readonly store: WelcomeStore;
  readonly identify: (app: string) => NotificationOrigin;
  readonly wakeRelay: () => void;
  readonly onPostponed: (appId: AppId, error: unknown) => void;
}

/** One poll of the welcomes that are due. @returns how many readers get one. */
export function createWelcomeStep({
  store,
  identify,
  wakeRelay,
  onPostponed,
}: WelcomeStepDeps): () => Promise<number> {
  const build = (welcome: Welcome): DeliveryIdentity => {
    const origin = identify(welcome.app);
    const { plaintext, wording } = buildTexts(welcomeTexts(welcome), origin, welcome.queryParams);
    return { identifier: origin.delivery, plaintext, wording };
  };

  return async function welcomeStep() {
    let sent = 0;
    for (const appId of await store.findDue(APPS_PER_STEP)) {
      try {
        sent += await store.sendDue(appId, READERS_PER_BATCH, build);
      } catch (error) {
        // One that fails must not keep the others waiting. Where the store is unavailable, this fails as well.
        await store.postpone(appId);
        onPostponed(appId, error);
      }
    }
    if (sent > 0) wakeRelay();
    return sent;
  };
}

/** As the API has measured it. */
const welcomeTexts = (welcome: Welcome) => ({
  title: welcome.title,
  body: welcome.body,
  url: welcome.url,
  imageUrl: welcome.imageUrl,
  iconUrl: welcome.iconUrl,
  face: welcome.face,
  site: welcome.site,
  buttons: [],
  topic: null,
  requireInteraction: welcome.requireInteraction,
  silent: welcome.silent,
  vibratePattern: welcome.vibratePattern,
  language: null,
  translations: [],
  mayBePersonal: true,
});
