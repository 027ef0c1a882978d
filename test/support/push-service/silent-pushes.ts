import type { Reading } from './read-message.ts';
import type { ServiceManners } from './services.ts';

/**
 * Safari ends a site's subscription after a few messages for which no notification was shown (webkit.org/blog/12945).
 * The double has no browser: a message without a title counts, since nothing of it could be shown.
 */
export interface SilentPushes {
  note(index: number, reading: Reading): void;
  /** From then on nothing is accepted there. */
  hasEnded(index: number): boolean;
}

export function createSilentPushes({ endsAfterSilent }: ServiceManners): SilentPushes {
  const counts = new Map<number, number>();
  return {
    note(index, reading) {
      if (endsAfterSilent === null || reading.kind === 'unread' || hasTitle(reading)) return;
      counts.set(index, (counts.get(index) ?? 0) + 1);
    },
    hasEnded: (index) => endsAfterSilent !== null && (counts.get(index) ?? 0) >= endsAfterSilent,
  };
}

function hasTitle(reading: Reading): boolean {
  if (reading.kind !== 'read') return false;
  const message = JSON.parse(reading.plaintext) as {
    readonly notification?: { readonly title?: unknown };
  } | null;
  const title = message?.notification?.title;
  return typeof title === 'string' && title !== '';
}
