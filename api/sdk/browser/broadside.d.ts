/** The options of `Broadside.init`. */
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
   * may have the same one: each is a subscription of its own. Default: a random one, stored in the browser.
   */
  readonly userId?: string;
  /**
   * Ids of the user in other systems, by name: where an account's id belongs. One account may have many
   * browsers.
   */
  readonly externalIds?: Readonly<Record<string, string>>;
  /**
   * How readers are asked. `false`: not at all, call `subscribe()` or `prompt()` yourself. Default: as the app's
   * settings say, and a bell where they say nothing.
   */
  readonly prompt?: PromptOptions | false;
}

export interface PromptOptions {
  /** `bell` floats in a corner, `bar` lies at an edge, `element` is an element of your own. */
  readonly kind: 'bell' | 'bar' | 'element';
  /**
   * For `element`: the element to click, as a selector or the element itself. Its `data-broadside-state` and
   * `aria-pressed` show the state, so its label need not change.
   */
  readonly element?: string | Element;
  /** Where the bell or the bar is. Default: at the bottom, the bell on the right. */
  readonly place?: 'bottom-right' | 'bottom-left' | 'bottom' | 'top';
  /** For `bar`: the delay in seconds. Default: 3. */
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
  /** The bell's name for each action of a click. */
  readonly subscribe: string;
  readonly unsubscribe: string;
  /** The reader's confirmation afterwards. */
  readonly subscribed: string;
  readonly unsubscribed: string;
  /** The text for a reader who has blocked notifications. */
  readonly denied: string;
  /** The text on an iPhone or iPad whose page is not on the home screen. */
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
 * - `unsubscribed`: the reader was not asked yet, or the subscription ended.
 * - `opted-out`: the reader unsubscribed here, and is not asked again.
 * - `subscribed`: notifications arrive: the browser has the subscription that Broadside took.
 * - `timed-out`: `subscribe()` timed out after 30 seconds: the browser's push service or Broadside did not
 *   answer. Another `subscribe()`, or the next visit, tries again; if it succeeds late, the state changes.
 */
export type BroadsideState =
  | 'unsupported'
  | 'needs-home-screen'
  | 'denied'
  | 'unsubscribed'
  | 'opted-out'
  | 'subscribed'
  | 'timed-out';

/** The browser's user, as stored in the browser. */
export interface BroadsideUser {
  readonly userId: string;
  readonly externalIds: Readonly<Record<string, string>>;
  /** Null: never chosen. */
  readonly categoryIds: readonly number[] | null;
}

export interface Broadside {
  state(): Promise<BroadsideState>;
  /** Called at once, and whenever the state changes. @returns a function that ends it. */
  onState(listener: (state: BroadsideState) => void): () => void;
  user(): Promise<BroadsideUser>;
  /**
   * Asks for the permission, so call it from a click or a key press. Rejects outside of one, where the browser
   * or Broadside cannot subscribe now, and 30 seconds after the permission was given (the state is `timed-out`
   * then); the next visit retries where that can help.
   */
  subscribe(): Promise<BroadsideState>;
  /** Nothing arrives any more, and the reader is not asked again. */
  unsubscribe(): Promise<BroadsideState>;
  /** Merged into the stored ones, by key. Sent once the reader is subscribed. Rejects where they are refused. */
  setTags(tags: Readonly<Record<string, string>>): Promise<void>;
  /**
   * The kinds of messages to receive: ids of the app's delivery categories; an empty list is none. A reader for
   * whom this was never called receives every category.
   */
  setCategories(ids: readonly number[]): Promise<void>;
  setExternalIds(ids: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Shows a prompt now, by default a slide-down, whatever the rules of the app's settings say; nothing to a reader who is
   * subscribed. The browser's own question comes only once the reader clicks on it.
   */
  prompt(kind?: 'bell' | 'bar' | 'slide-down'): Promise<void>;
  /** Opens a dialog that says where this browser has notifications switched on, in the language of the page. */
  help(): Promise<void>;
}

export interface BroadsideSdk {
  /** Once a page: a second call gives what the first one gave. Resubscribes readers whom a changed key or a lost subscription would leave without messages. Rejects where the API has no such app for this page. */
  init(options: BroadsideOptions): Promise<Broadside>;
  /** That of what `init` gives, without waiting for it: right after the snippet, or from a button of the page. */
  prompt: Broadside['prompt'];
}

export const Broadside: BroadsideSdk;

declare global {
  interface Window {
    Broadside: BroadsideSdk;
  }
}
