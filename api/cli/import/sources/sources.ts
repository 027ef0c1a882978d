import { oneSignal } from './onesignal.ts';
import { pushwoosh } from './pushwoosh.ts';
import type { Source } from './source.ts';
import { firebase, webPush } from './web-push.ts';

/** Exports of other services that can be read beside the plain form. */
export const sources: readonly Source[] = [oneSignal, webPush, firebase, pushwoosh];

export const PLAIN = 'plain';
export const sourceNames: readonly string[] = [PLAIN, ...sources.map(({ name }) => name)];

/** Null: the plain form. */
export const sourceOf = (name: string): Source | null =>
  sources.find((source) => source.name === name) ?? null;
