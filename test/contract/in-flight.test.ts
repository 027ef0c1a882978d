// tier: unit
import { describe, expect, it } from 'vitest';
import { createFeedStep } from '../../engine/campaigns/feeds/feed-step.ts';
import { createInFlight } from '../../engine/contract/in-flight.ts';
import { createSendStep } from '../../engine/outgoing/alerts/send-step.ts';
import { createMessageStep } from '../../engine/outgoing/webhooks/send-step.ts';
import { createManualClock } from '../support/manual-clock.ts';

const thrown = new Error('a line throws');
const throws = (): never => {
  throw thrown;
};
const rejects = async (): Promise<never> => throws();

describe('work in flight', () => {
  it('leaves whichever way it ends, also where the note of its error throws', async () => {
    const noted: unknown[] = [];
    const inFlight = createInFlight<number>((error) => {
      noted.push(error);
      throws();
    });
    inFlight.begin(1, async () => {});
    inFlight.begin(2, rejects);
    inFlight.begin(3, throws);
    expect(inFlight.owners()).toEqual([1, 2, 3]);
    await inFlight.idle();
    expect(inFlight.count()).toBe(0);
    expect(noted).toEqual([thrown, thrown]);
    await inFlight.oneEnded();
  });
});

/** Each claims one piece of work, and throws at a line. */
describe.each<[string, () => { step(): Promise<number>; idle(): Promise<void> }]>([
  ...(['sendAlert', 'note', 'onError'] as const).map(
    (line): [string, () => { step(): Promise<number>; idle(): Promise<void> }] => [
      `alerts, where ${line} throws`,
      () =>
        createSendStep({
          store: {
            claim: async (most: number) => (most > 0 ? [{ organizationId: 1, attempt: 1 } as never] : []),
            note: line === 'note' ? rejects : async () => {},
          },
          sendAlert: line === 'note' ? async () => ({ kind: 'taken', answer: '' }) : rejects,
          onError: line === 'onError' ? throws : () => {},
        }),
    ],
  ),
  ...(['sendMessage', 'note', 'onError', 'onEnded'] as const).map(
    (line): [string, () => { step(): Promise<number>; idle(): Promise<void> }] => [
      `webhooks, where ${line} throws`,
      () =>
        createMessageStep({
          store: {
            claim: async (most: number) =>
              most > 0
                ? [{ organizationId: 1, endpointId: 1, attempt: 1, claimedAt: new Date(0) } as never]
                : [],
            note: line === 'note' ? rejects : async () => {},
          } as never,
          sendMessage:
            line === 'note' ? async () => ({ answer: { kind: 'taken' }, kept: {} }) as never : rejects,
          onError: line === 'onError' ? throws : () => {},
          onEnded: line === 'onEnded' ? throws : () => {},
        }),
    ],
  ),
  ...(['look', 'defer', 'onDeferred'] as const).map(
    (line): [string, () => { step(): Promise<number>; idle(): Promise<void> }] => [
      `feeds, where ${line} throws`,
      () =>
        createFeedStep({
          store: {
            claimFeeds: async (most: number, busy: readonly unknown[]) =>
              most > 0 && busy.length === 0
                ? [{ id: 1, appId: 1, settings: { plan: { kind: 'feed' } } }]
                : [],
            defer: line === 'defer' ? rejects : async () => {},
          } as never,
          clock: createManualClock(),
          leaseMs: 15_000,
          onDeferred: line === 'onDeferred' ? throws : () => {},
          wakeRelay: () => {},
        } as never),
    ],
  ),
])('%s', (_, create) => {
  it('have all their permits afterwards', async () => {
    const { step, idle } = create();
    for (let steps = 0; steps < 200; steps++) {
      expect(await step()).toBe(1);
      await idle();
    }
  });
});
