import type { Outgoing } from './message.ts';
import type { Origins } from './origin-health.ts';
import type { Probation } from './probation.ts';
import type { Rejections } from './rejections.ts';
import type { Window } from './window.ts';

/**
 * What the messages of one block hold while they are in flight: a place in the thread's window, one among those on
 * probation, and a start at their origin. All blocks of the thread share these, so each is given back exactly once,
 * whichever way the block ends.
 *
 *     take ──► held ──┬── sent and answered ──► give
 *                     └── not sent after all ─► takeBack
 */
export interface Permits {
  take(outgoing: Outgoing): void;
  /** Its answer is in, and `Origins` and `Rejections` know it. */
  give(outgoing: Outgoing): void;
  /** It is not sent after all. */
  takeBack(outgoing: Outgoing): void;
  /** Of the messages that were never handed over: the block threw between two of its lines. */
  takeBackAll(isSent: (outgoing: Outgoing) => boolean): void;
}

export function createPermits(deps: {
  readonly window: Window;
  readonly probation: Probation;
  readonly origins: Origins;
  readonly rejections: Rejections;
  readonly rehearsal: boolean;
}): Permits {
  const { window, probation, origins, rejections, rehearsal } = deps;
  const held = new Set<Outgoing>();

  function give(outgoing: Outgoing): void {
    if (!held.delete(outgoing)) return;
    window.give(outgoing.windowKey);
    if (outgoing.probationKey !== null) probation.give(outgoing.probationKey);
  }

  function takeBack(outgoing: Outgoing): void {
    if (!held.has(outgoing)) return;
    if (!rehearsal) {
      const { envelope, channel } = outgoing;
      const sender = { channel, key: envelope.sharedHeaders.key };
      rejections.answered(sender, envelope.isKnown, { outcome: 'unsent', status: 0 });
      origins.ended(envelope.sharedHeaders.health, 'silent', '');
    }
    give(outgoing);
  }

  return {
    take(outgoing) {
      const { envelope, channel, windowKey, probationKey } = outgoing;
      held.add(outgoing);
      if (!rehearsal) {
        origins.started(envelope.sharedHeaders.health);
        rejections.sent({ channel, key: envelope.sharedHeaders.key }, envelope.isKnown);
        if (probationKey !== null) probation.take(probationKey);
      }
      window.take(windowKey);
    },
    give,
    takeBack,
    takeBackAll(isSent) {
      for (const outgoing of held) if (!isSent(outgoing)) takeBack(outgoing);
    },
  };
}
