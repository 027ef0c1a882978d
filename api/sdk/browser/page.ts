import type {
  Broadside,
  BroadsideOptions,
  BroadsideSdk,
  BroadsideState,
  PromptOptions,
} from './broadside.d.ts';
import { endedByHand, noteLoss, watchHand } from './loss.ts';
import { createChosen } from './page-prompt/chosen.ts';
import { showPrompt } from './page-prompt/prompt.ts';
import {
  meetReader,
  type Reader,
  readKept,
  refresh,
  sendChanges,
  setTags,
  stateOf,
  subscribe,
  unsubscribe,
} from './reader.ts';
import { shared } from './shared.ts';
import { keptBeacons } from './store.ts';
import { takeClick } from './take-click.ts';
import { followTestLink, takeTestLink } from './test-link.ts';
import { secondsOnSite } from './time-on-site.ts';
import { warned } from './warned.ts';
import { FORBIDDEN, readApp } from './wire.ts';

export const sdk: BroadsideSdk = {
  init,
  // Before any `init` its refusal says what to call.
  prompt: async (kind) => (await (shared.first ?? start())).prompt(kind),
};

const ONLINE_AGAIN_MS = 5_000;

/** Once a page: a second bell, and a second answer to each event, help nobody. */
async function init(options: BroadsideOptions): Promise<Broadside> {
  if (shared.first) console.warn('Broadside: init() was called before');
  shared.first ??= start(options);
  try {
    return await shared.first;
  } catch (error) {
    shared.first = undefined;
    throw error;
  }
}

async function start(given?: BroadsideOptions): Promise<Broadside> {
  if (!given?.appId || !given.baseUrl) throw new Error('Broadside.init needs appId and baseUrl');
  const baseUrl = new URL(given.baseUrl, location.origin).href.replace(/\/+$/, '');
  const options = { __proto__: null, ...given, baseUrl };
  takeTestLink();
  const click = takeClick();
  await checkApp(options);
  const reader = meetReader(options);
  await warned(() => reader.change(noteLoss));
  const { announce, onState } = createAnnouncer(() => stateOf(reader));
  const chosen = createChosen(options, reader);
  const broadside = createBroadside(reader, announce, onState, chosen);
  // A failure now is retried on the next visit; a page must not fail for it.
  const settle = async (): Promise<void> => {
    await warned(() => refresh(reader));
    await announce();
    const kept = await warned(keptBeacons);
    if (kept?.length) await chosen.use(broadside, (prompts) => prompts.flush());
  };
  const follow = (state: BroadsideState) => void (state === 'subscribed' && followTestLink());
  onState(follow);
  // A link that is opened in a tab of this page loads nothing.
  addEventListener('hashchange', () => {
    takeTestLink();
    void announce().then(follow);
  });
  addEventListener('online', () => {
    void settle();
    // The network may come after the event.
    setTimeout(settle, ONLINE_AGAIN_MS);
  });
  // The element with the reader's preferences.
  addEventListener('broadside-preferences', settle);
  // Another page, or the browser's settings, may have changed it; and an app on the home screen is one page for days.
  document.addEventListener('visibilitychange', () => {
    secondsOnSite();
    void (document.hidden ? announce() : settle());
  });
  secondsOnSite();
  void watchHand(() => warned(() => reader.change(endedByHand)));
  const show = (prompt: PromptOptions): void => showPrompt(broadside, prompt, chosen);
  const { prompt } = options;
  if (prompt) show(prompt);
  else if (prompt === undefined)
    void chosen.start(broadside).then((isShown) => isShown || show({ kind: 'bell' }));
  void settle();
  if (click !== null) void chosen.use(broadside, (prompts) => prompts.reportClick(click));
  return broadside;
}

/**
 * Once a browser and app: the first who sees a mistyped identifier is the developer. An API that cannot be asked now is none
 * of the page's business.
 * @throws Error where the API has no such app for this page.
 */
async function checkApp(options: BroadsideOptions): Promise<void> {
  if ((await readKept())?.appId === options.appId) return;
  try {
    await readApp(options);
  } catch (error) {
    if ((error as Error).cause === FORBIDDEN) throw error;
  }
}

function createBroadside(
  reader: Reader,
  announce: () => Promise<BroadsideState>,
  onState: Broadside['onState'],
  chosen: ReturnType<typeof createChosen>,
): Broadside {
  const broadside: Broadside = {
    state: () => stateOf(reader),
    onState,
    async user() {
      const { userId, externalIds, categoryIds } = await reader.change(() => ({}));
      return { userId, externalIds, categoryIds };
    },
    async subscribe() {
      try {
        await subscribe(reader, announce);
      } catch (error) {
        // The permission may be another one.
        await announce();
        throw error;
      }
      return announce();
    },
    async unsubscribe() {
      await unsubscribe(reader);
      return announce();
    },
    setTags: (tags) => setTags(reader, tags),
    setCategories: (ids) => sendChanges(reader, () => ({ categoryIds: [...ids], isChoiceNew: true })),
    setExternalIds: (ids) =>
      sendChanges(reader, (kept) => ({ externalIds: { ...kept.externalIds, ...ids } })),
    prompt: (kind) => chosen.open(broadside, kind),
    help: () => chosen.help(broadside),
  };
  return broadside;
}

/** Notifies listeners of a changed state. */
function createAnnouncer(state: () => Promise<BroadsideState>) {
  const listeners = new Set<(state: BroadsideState) => void>();
  let last: BroadsideState | null = null;
  return {
    async announce(): Promise<BroadsideState> {
      const now = await state();
      if (now !== last) for (const listener of listeners) listener(now);
      last = now;
      return now;
    },
    onState(listener: (state: BroadsideState) => void): () => void {
      listeners.add(listener);
      void state().then(listener);
      return () => listeners.delete(listener);
    },
  };
}
