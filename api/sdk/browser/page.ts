import type {
  Broadside,
  BroadsideOptions,
  BroadsideSdk,
  BroadsideState,
  PromptOptions,
} from './broadside.d.ts';
import { reportClick, takeClick } from './click.ts';
import { createChosen } from './prompt/chosen.ts';
import { showPrompt } from './prompt/prompt.ts';
import { meetReader, type Reader, refresh, sendChanges, stateOf, subscribe, unsubscribe } from './reader.ts';
import { readProfile } from './store.ts';
import { sendTags } from './subscription.ts';
import { followTestLink, takeTestLink } from './test-link.ts';

export const sdk: BroadsideSdk = { init };

async function init(options: BroadsideOptions): Promise<Broadside> {
  if (!options.appId || !options.baseUrl) throw new Error('Broadside.init needs appId and baseUrl');
  takeTestLink();
  const click = takeClick();
  const reader = await meetReader(options);
  const { announce, onState } = createAnnouncer(() => stateOf(reader));
  const chosen = createChosen(options, reader);
  const broadside = createBroadside(reader, announce, onState, chosen);
  // A failure now is retried on the next visit; a page must not fail for it.
  const settle = (): Promise<unknown> =>
    refresh(reader)
      .catch((error) => console.warn('Broadside:', error))
      .then(announce);
  const follow = (state: BroadsideState) => void (state === 'subscribed' && followTestLink());
  onState(follow);
  // A link that is opened in a tab of this page loads nothing.
  addEventListener('hashchange', () => {
    takeTestLink();
    void stateOf(reader).then(follow);
  });
  addEventListener('online', settle);
  // The element with the reader's preferences.
  addEventListener('broadside-preferences', settle);
  // Another page, or the browser's settings, may have changed it; and an app on the home screen is one page for days.
  document.addEventListener('visibilitychange', () => (document.hidden ? announce() : settle()));
  const show = (prompt: PromptOptions): void =>
    showPrompt(broadside, prompt, {
      laterAtMs: async () => (await readProfile())?.laterAtMs ?? 0,
      saidLater: async () => void (await reader.change(() => ({ laterAtMs: Date.now() }))),
    });
  const { prompt } = options;
  if (prompt) show(prompt);
  else if (prompt === undefined)
    void chosen.start(broadside).then((isShown) => isShown || show({ kind: 'bell' }));
  void settle();
  if (click !== null) void reportClick(click).catch(() => {});
  return broadside;
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
    user: () =>
      reader
        .change(() => ({}))
        .then(({ userId, externalIds, categoryIds }) => ({ userId, externalIds, categoryIds })),
    // Also after a failure: the permission may be another one.
    subscribe: () =>
      subscribe(reader, announce).then(announce, (error) => announce().then(() => Promise.reject(error))),
    unsubscribe: () => unsubscribe(reader).then(announce),
    setTags: async (tags) => sendTags(await reader.change((kept) => ({ tags: { ...kept.tags, ...tags } }))),
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
