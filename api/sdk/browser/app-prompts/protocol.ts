import type { Broadside, PromptColours, PromptOptions } from '../broadside.d.ts';
import type { Click } from '../click-address.ts';

/**
 * What the SDK and its prompts know of each other: they are two files, of which the second comes only when needed. It
 * also has the reports about notifications, which few pages send.
 */

export type CardKind = 'bar' | 'slide-down';
export type PromptKind = 'bell' | CardKind;

/** As the app's settings have it (`GET /public/prompts`). */
export interface Prompt {
  readonly round: number;
  readonly variants: readonly Variant[];
  readonly pages: number;
  readonly seconds: number;
  readonly scrollPercent: number;
  readonly showOn: readonly string[];
  readonly hideOn: readonly string[];
  /** Null: never. */
  readonly againAfterDays: number | null;
  /** Whether readers are asked whose permission the browser took away. An API of an earlier version does not say. */
  readonly winBack?: boolean;
  readonly categories: readonly Category[];
}

export interface Variant {
  readonly kind: PromptKind;
  readonly place?: 'left' | 'right' | 'top' | 'bottom';
  readonly question?: string;
  readonly accept?: string;
  readonly later?: string;
  readonly categories: boolean;
  readonly colours: Partial<PromptColours>;
}

export interface Category {
  readonly id: number;
  readonly name: string;
}

export interface Parts extends LaterMemory {
  readonly broadside: Broadside;
  readonly appId: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly post: (
    api: { readonly appId: string; readonly baseUrl: string },
    path: string,
    body: object,
  ) => Promise<unknown>;
  /** Noted before the reader is asked, so that the subscription names it. */
  readonly saidYes: (variant: string) => void;
}

/** The browser's memory of the "not now" to a page's own bar, and of a permission that was taken away since. */
export interface LaterMemory {
  /** 0: never said, or never lost. @throws Error where it cannot be read: then the reader is not asked. */
  readonly memory: () => Promise<{ readonly laterAtMs: number; readonly lostAtMs?: number }>;
  readonly saidLater: () => void;
}

export interface Prompts {
  /** By the app's rules. */
  start(prompt: Prompt): Promise<void>;
  /** Now, because the page's own code says so. */
  open(kind: PromptKind | undefined, prompt: Prompt | null): Promise<void>;
  flush(): Promise<unknown>;
  reportClick(click: Click): Promise<void>;
  /** The page's own. */
  bar(options: PromptOptions): Promise<void>;
  help(): Promise<void>;
}

declare global {
  interface Window {
    /** Set by `prompts.js`. */
    BroadsidePrompts?: (parts: Parts) => Prompts;
  }
}
