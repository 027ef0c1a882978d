import { isYoung } from '../clock.ts';
import { jsonOf } from '../json.ts';
import type { Prompt } from './protocol.ts';

/** What this browser keeps of prompts, in the site's localStorage. */
export interface Kept {
  readonly round: number;
  readonly variant: 'a' | 'b';
  /** Page views. */
  readonly pages: number;
  /** When the reader last answered, ms since 1970; 0: never. */
  readonly answeredAt: number;
  /** Reported in this round: each once. */
  readonly reported: readonly string[];
}

const KEY = 'broadside-prompt';
const DAY_MS = 86_400_000;

const nothing: Kept = { round: -1, variant: 'a', pages: 0, answeredAt: 0, reported: [] };

function read(): Kept {
  const { round, variant, pages, answeredAt, reported } = JSON.parse(localStorage.getItem(KEY) ?? '{}');
  return {
    round: Number(round ?? nothing.round),
    variant: variant === 'b' ? 'b' : 'a',
    pages: Number(pages) || 0,
    answeredAt: Number(answeredAt) || 0,
    reported: Array.isArray(reported) ? reported : [],
  };
}

/** @returns null where the browser keeps nothing: a prompt would come back on each page. */
export function remember(changes: Partial<Kept>): Kept | null {
  try {
    const kept = { ...read(), ...changes };
    localStorage.setItem(KEY, jsonOf(kept));
    return kept;
  } catch {
    return null;
  }
}

/** One more page view, and the variant of the round: drawn once a browser. */
export function meet({ round, variants }: Prompt): Kept | null {
  const kept = remember({});
  if (kept === null) return null;
  const pages = kept.pages + 1;
  if (kept.round === round) return remember({ pages });
  const variant = variants.length > 1 && Math.random() < 0.5 ? 'b' : 'a';
  return remember({ round, variant, pages, reported: [] });
}

/**
 * Whether the reader may be asked: after the last answer not before these days are over. What was answered before the
 * permission was lost does not count.
 */
export function isAskable({ answeredAt }: Kept, againAfterDays: number | null, lostAtMs = 0): boolean {
  if (answeredAt < lostAtMs || answeredAt === 0) return true;
  return againAfterDays !== null && !isYoung(answeredAt, againAfterDays * DAY_MS);
}
