import type { PushService } from '../contract/push-service.ts';
import type { RefusalReason } from './protocol.ts';

/** Distinct texts kept per block; further ones count only as outcomes. */
export const MAX_REASONS = 8;
const MAX_TEXT_LENGTH = 200;

/** Collects why messages of one block were refused, with a count for each distinct text. */
export interface Reasons {
  add(service: PushService, status: number, text: string): void;
  list(): RefusalReason[];
}

export function createReasons(): Reasons {
  const byText = new Map<string, { service: PushService; status: number; text: string; count: number }>();
  return {
    add(service, status, raw) {
      const text = tidy(raw);
      const key = `${service} ${status} ${text}`;
      const known = byText.get(key);
      if (known !== undefined) known.count++;
      else if (byText.size < MAX_REASONS) byText.set(key, { service, status, text, count: 1 });
    },
    list: () => [...byText.values()],
  };
}

/**
 * A stranger's bytes end up in logs, on pages and in jsonb: one line, no control characters, no half of a pair where it
 * is cut, which Postgres would refuse.
 */
export function tidy(raw: string): string {
  return raw
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT_LENGTH)
    .toWellFormed();
}
