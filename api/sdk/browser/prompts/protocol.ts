import type { Broadside, PromptColours } from '../broadside.d.ts';

/** What the SDK and its prompts know of each other: they are two files, of which the second comes only when needed. */

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

export interface Parts {
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

export interface Prompts {
  /** By the app's rules. */
  start(prompt: Prompt): Promise<void>;
  /** Now, because the page's own code says so. */
  open(kind: PromptKind, prompt: Prompt | null): Promise<void>;
  help(): Promise<void>;
}

declare global {
  interface Window {
    /** Set by `prompts.js`. */
    BroadsidePrompts?: (parts: Parts) => Prompts;
  }
}
