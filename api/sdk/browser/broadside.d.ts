/** What a page gives `Broadside.init`. */
export interface BroadsideOptions {
  /** The app's identifier, such as `example-news-k3x9qa`. */
  readonly appId: string;
  /** Where the Broadside API is, such as `https://push.example.com`. */
  readonly baseUrl: string;
  /** The service worker on the page's own site; it imports the SDK's. Default: `/broadside-worker.js`. */
  readonly workerUrl?: string;
  /** Which pages the worker is for. Default: the folder of its file. */
  readonly scope?: string;
  /**
   * An id of the browser's user, at most 255 characters, by which you find the browser again. Several browsers
   * may have the same one: each is a subscription of its own. Default: a random one, kept in the browser.
   */
  readonly userId?: string;
  /**
   * Ids of the user in other systems, by name: where an account's id belongs. One account may have many
   * browsers.
   */
  readonly externalIds?: Readonly<Record<string, string>>;
  /** How readers are asked. `false`: not at all, call `subscribe()` yourself. Default: a bell. */
  readonly prompt?: PromptOptions | false;
}

export interface PromptOptions {
  /** `bell` floats in a corner, `bar` lies at an edge, `element` is an element of your own. */
  readonly kind: 'bell' | 'bar' | 'element';
  /**
   * For `element`: what is clicked, as a selector or the element itself. It is told the state in
   * `data-broadside-state` and `aria-pressed`, so its label need not change.
   */
  readonly element?: string | Element;
  /** Where the bell or the bar is. Default: at the bottom, the bell on the right. */
  readonly place?: 'bottom-right' | 'bottom-left' | 'bottom' | 'top';
  /** For `bar`: after how many seconds it comes. Default: 3. */
  readonly afterSeconds?: number;
  /** For `bar`: for how many days "not now" holds. Default: 30. */
  readonly againAfterDays?: number;
  /** An empty text is not shown. */
  readonly texts?: Partial<PromptTexts>;
  readonly colours?: Partial<PromptColours>;
}

export interface PromptTexts {
  /** Of the bar: the question, and its two buttons. */
  readonly question: string;
  readonly accept: string;
  readonly later: string;
  /** The bell's name, by what a click does. */
  readonly subscribe: string;
  readonly unsubscribe: string;
  /** What a reader is told after it. */
  readonly subscribed: string;
  readonly unsubscribed: string;
  /** What a reader is told who has blocked notifications. */
  readonly denied: string;
  /** What a reader is told on an iPhone or iPad whose page is not on the home screen. */
  readonly homeScreen: string;
  readonly failed: string;
}

/** CSS colours. */
export interface PromptColours {
  readonly background: string;
  readonly text: string;
  readonly accent: string;
  readonly accentText: string;
}

/**
 * - `unsupported`: this browser has no web push.
 * - `needs-home-screen`: an iPhone or iPad has it once the page is added to the home screen.
 * - `denied`: the reader has blocked notifications; only the browser's settings undo that.
 * - `unsubscribed`: nobody was asked yet, or the subscription ended.
 * - `opted-out`: the reader unsubscribed here, and is not asked again.
 * - `subscribed`: notifications arrive.
 * - `timed-out`: `subscribe()` was given up on after 30 seconds: the browser's push service or Broadside did not
 *   answer. Another `subscribe()`, or the next visit, tries again; should it end after all, the state says so.
 */
export type BroadsideState =
  | 'unsupported'
  | 'needs-home-screen'
  | 'denied'
  | 'unsubscribed'
  | 'opted-out'
  | 'subscribed'
  | 'timed-out';

/** Who the browser's user is, as it is kept in the browser. */
export interface BroadsideUser {
  readonly userId: string;
  readonly externalIds: Readonly<Record<string, string>>;
  /** Null: never chosen. */
  readonly categoryIds: readonly number[] | null;
}

export interface Broadside {
  state(): Promise<BroadsideState>;
  /** Called at once, and whenever the state changes. @returns what ends it. */
  onState(listener: (state: BroadsideState) => void): () => void;
  user(): Promise<BroadsideUser>;
  /**
   * Asks for the permission, so call it from a click or a key press. Rejects outside of one, where the browser
   * or Broadside cannot subscribe now, and 30 seconds after the permission was given (the state is `timed-out`
   * then); what can be tried again is, on the next visit.
   */
  subscribe(): Promise<BroadsideState>;
  /** Nothing arrives any more, and the reader is not asked again. */
  unsubscribe(): Promise<BroadsideState>;
  /** Added to those that are kept, by key. Wait while nobody is subscribed. Rejects where they are refused. */
  setTags(tags: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Which kinds of messages are wanted: ids of the app's delivery categories; an empty list is none. A reader
   * for whom this was never called receives every category.
   */
  setCategories(ids: readonly number[]): Promise<void>;
  setExternalIds(ids: Readonly<Record<string, string>>): Promise<void>;
}

export interface BroadsideSdk {
  /** Once a page. Subscribes again whom a changed key or a lost subscription would leave without messages. */
  init(options: BroadsideOptions): Promise<Broadside>;
}

export const Broadside: BroadsideSdk;

declare global {
  interface Window {
    Broadside: BroadsideSdk;
  }
}
