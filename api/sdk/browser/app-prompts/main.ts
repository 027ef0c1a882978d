import type { Broadside, BroadsideState } from '../broadside.d.ts';
import { reportClick } from '../click.ts';
import { needsHomeScreen } from '../device.ts';
import { showBell } from '../page-prompt/bell.ts';
import { showBar } from './bar.ts';
import { drawCard } from './card.ts';
import { flushUntilDone } from './flush-until-done.ts';
import { mayAsk } from './globs.ts';
import { openHelp } from './help.ts';
import { readTexts, type Spoken } from './language.ts';
import { isAskable, type Kept, meet, remember } from './memory.ts';
import type { CardKind, Parts, Prompt, PromptKind, Prompts, Variant } from './protocol.ts';
import { whenRead } from './rules.ts';
import { helpAfterSilence } from './silence.ts';
import { type CardView, createCardView } from './view.ts';
import { helpedBrowser } from './which-browser.ts';

/** What the reader is asked with, and how that is counted. */
interface Asked {
  /** The permission was given before, and the browser took it away. */
  readonly isLost?: true;
  readonly variant: Variant;
  readonly prompt: Prompt | null;
  readonly report: (event: 'shown' | 'accepted' | 'granted' | 'dismissed') => void;
  /** Before the subscription; null: it is not a variant of the settings. */
  readonly name: string | null;
}

window.BroadsidePrompts = (parts: Parts): Prompts => {
  const { broadside } = parts;
  let spoken: Promise<Spoken> | null = null;
  const speak = (): Promise<Spoken> => {
    spoken ??= readTexts(parts.baseUrl).catch((error) => {
      // The next press may find the network again.
      spoken = null;
      throw error;
    });
    return spoken;
  };
  /** One at a time. */
  let isOpen = false;

  async function show(kind: PromptKind, asked: Asked): Promise<void> {
    const words = await speak();
    if (kind === 'bell') return ring(parts, asked, words);
    if (isOpen) return;
    isOpen = true;
    openCard(parts, kind, asked, words, () => {
      isOpen = false;
    });
  }

  return {
    async start(prompt) {
      const kept = meet(prompt);
      const variant = prompt.variants[kept?.variant === 'b' ? 1 : 0];
      if (variant === undefined || !mayAsk(prompt, location.pathname)) return;
      const { lostAtMs = 0 } = await parts.memory();
      const isLost = lostAtMs > 0 && prompt.winBack === true;
      const asked = { prompt, variant, ...reportsOf(parts, prompt.round, kept) };
      const isBell = variant.kind === 'bell';
      if (isBell) await show('bell', asked);
      if (isBell && !isLost) return;
      // A browser that keeps nothing would be asked on each page.
      if (kept === null || !isAskable(kept, prompt.againAfterDays, isLost ? lostAtMs : 0)) return;
      if (!isLost && kept.pages < prompt.pages) return;
      await whenRead(prompt);
      if (!mayBeAsked(await broadside.state()) || !mayAsk(prompt, location.pathname)) return;
      const kind = variant.kind === 'bell' ? 'bar' : variant.kind;
      await show(kind, isLost ? winBack(asked) : asked);
    },
    async open(kind = 'slide-down', prompt) {
      const state = await broadside.state();
      if (state === 'denied') return this.help();
      if (kind !== 'bell' && !mayBeAsked(state)) return;
      await show(kind, askedByPage(parts, kind, prompt));
    },
    flush: flushUntilDone,
    reportClick,
    bar: (options) => showBar(broadside, options, parts),
    async help() {
      const words = await speak();
      const view = createCardView('bar', plain('bar'), words);
      openHelp(view.root, words, helpedBrowser(navigator.userAgent, needsHomeScreen || isPhone()));
    },
  };
};

/** Its own words; the variants compare how new readers answer, so that it counts for none of them. */
const winBack = ({ variant, prompt }: Asked): Asked => ({
  isLost: true,
  variant: { kind: variant.kind, categories: false, colours: variant.colours },
  prompt,
  report: () => {},
  name: null,
});

/** On the home screen, too. */
const isPhone = (): boolean => /iPad|iPhone|iPod/.test(navigator.userAgent);

/** One who opted out may change their mind where the page's code asks. */
const mayBeAsked = (state: BroadsideState): boolean =>
  state === 'unsubscribed' || state === 'needs-home-screen' || state === 'timed-out';

const plain = (kind: PromptKind): Variant => ({ kind, categories: kind === 'slide-down', colours: {} });

/** As the settings have this kind, where they do: then it counts for that variant. */
function askedByPage(parts: Parts, kind: PromptKind, prompt: Prompt | null): Asked {
  const index = prompt?.variants.findIndex((each) => each.kind === kind) ?? -1;
  const variant = prompt?.variants[index];
  if (prompt === null || variant === undefined)
    return { variant: plain(kind), prompt, report: () => {}, name: null };
  const kept = remember({});
  // Only in a browser that drew it: else the comparison would no longer be one of chance.
  const isDrawn = kept?.round === prompt.round && (kept.variant === 'b') === (index === 1);
  return { prompt, variant, ...reportsOf(parts, prompt.round, isDrawn ? kept : null) };
}

/** Each report once a browser and round; without a memory none. */
function reportsOf({ post, appId, baseUrl }: Parts, round: number, kept: Kept | null) {
  if (kept === null) return { report: () => {}, name: null };
  const name = `${round}.${kept.variant}`;
  const report: Asked['report'] = (event) => {
    const { reported = [event] } = remember({}) ?? {};
    if (reported.includes(event)) return;
    remember({ reported: [...reported, event] });
    void post({ appId, baseUrl }, 'prompt-event', { promptVariant: name, event });
  };
  return { report, name };
}

/** Asks the browser, from a click: nothing is awaited before. */
function sayYes({ broadside, saidYes }: Parts, { report, name }: Asked): Promise<BroadsideState> {
  report('accepted');
  if (name !== null) saidYes(name);
  const work = broadside.subscribe();
  const ended = (): void => {
    if (Notification.permission === 'granted') report('granted');
  };
  work.then(ended, ended);
  return work;
}

function ring(parts: Parts, asked: Asked, spoken: Spoken): void {
  const { variant, report } = asked;
  const { broadside } = parts;
  const asking: Broadside = {
    ...broadside,
    async subscribe() {
      const state = await sayYes(parts, asked);
      if (state === 'denied') await broadside.help();
      return state;
    },
  };
  const place = variant.place === 'left' ? 'bottom-left' : 'bottom-right';
  showBell(asking, { kind: 'bell', place, colours: variant.colours }, spoken.texts);
  report('shown');
}

function openCard(parts: Parts, kind: CardKind, asked: Asked, spoken: Spoken, onClosed: () => void): void {
  const view = createCardView(kind, asked.variant, spoken);
  const end = (): void => {
    close();
    remember({ answeredAt: Date.now() });
    onClosed();
  };
  const card = {
    kind,
    variant: asked.isLost ? { ...asked.variant, question: spoken.texts.winBack } : asked.variant,
    categories: asked.variant.categories ? (asked.prompt?.categories ?? []) : [],
    isHomeScreen: needsHomeScreen,
  };
  const close = drawCard(view, spoken, card, {
    later: () => {
      end();
      asked.report('dismissed');
    },
    accept: (categoryIds) => {
      end();
      if (categoryIds !== null) void parts.broadside.setCategories(categoryIds).catch(() => {});
      void follow(parts, asked, view, spoken);
    },
  });
  asked.report('shown');
  // Also where another of the page's elements turned them on.
  parts.broadside.onState((state) => {
    if (state !== 'subscribed') return;
    close();
    onClosed();
  });
}

/** Says how it went, and helps where the browser did not ask, or was told to refuse. */
async function follow(parts: Parts, asked: Asked, view: CardView, { texts }: Spoken): Promise<void> {
  const offer = (): void => view.offer(texts.quiet, texts.showHow, () => void parts.broadside.help());
  const heard = helpAfterSilence(() => Notification.permission === 'default', offer);
  try {
    const state = await sayYes(parts, asked);
    heard();
    if (state === 'subscribed') view.say(texts.subscribed);
    else if (state === 'denied') await parts.broadside.help();
    else if (state === 'unsubscribed') offer();
  } catch (error) {
    heard();
    console.warn('Broadside:', error);
    view.say(texts.failed);
  }
}
