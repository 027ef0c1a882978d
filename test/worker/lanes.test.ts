// tier: unit
import { afterEach, describe, expect, it } from 'vitest';
import { createChannelState } from '../../engine/contract/channel-state.ts';
import { type Outcome, outcomes } from '../../engine/contract/outcome.ts';
import type { BlockSent, SendBlock } from '../../engine/worker/protocol.ts';
import { createRealSender } from '../support/real-sender.ts';
import {
  accept,
  type LittlePushService,
  makeNotification,
  makeRows,
  makeTask,
  type Reply,
  startLittlePushService,
} from './support.ts';

const TARGETS = 100;

const WINDOW = 256;

const outcomesOf = (sent: BlockSent): Set<Outcome | undefined> =>
  new Set([...sent.outcomes].map((code) => outcomes[code]));

/** Answers what is urgent, and leaves everything else unanswered. */
const answerUrgentOnly: Reply = (stream, received, session) => {
  if (received.headers.urgency === 'high') accept(stream, received, session);
};

describe('a breaking block on a thread whose push services hang', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  const start = async () => {
    const service = await startLittlePushService({
      reply: answerUrgentOnly,
      settings: { maxConcurrentStreams: 1_000 },
    });
    closers.push(service.close);
    const sender = createRealSender(service.ca, {
      maxInFlight: WINDOW,
      streamsPerConnection: 1_000,
      answerTimeoutMs: 60_000,
    });
    closers.push(sender.close);
    // The origin is known to answer: of one that never did, a few messages wait for the first answer.
    const notification = makeNotification({ urgency: 'high' });
    await sender.sendBlock(task(service, 98, { lane: 'breaking', notification }));
    service.received.splice(0);
    return { service, sender };
  };
  const task = (service: LittlePushService, appId: number, given: Partial<SendBlock>): SendBlock =>
    makeTask(makeRows(service.origin, TARGETS), {
      channelState: createChannelState(appId, Date.now()),
      ...given,
    });
  const hanging = async (service: LittlePushService): Promise<number> => {
    let before = -1;
    while (service.received.length !== before) {
      before = service.received.length;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    return before;
  };

  it('is sent though bulk ones have filled the window and none of them is answered', async () => {
    const { service, sender } = await start();
    let ended = 0;
    const apps = Array.from({ length: 40 }, (_, at) => at + 1);
    const bulk = apps.map((appId) => sender.sendBlock(task(service, appId, {})).then(() => ended++));
    const held = await hanging(service);
    expect(held).toBe(WINDOW - WINDOW / 8);
    const notification = makeNotification({ urgency: 'high' });
    const sent = await sender.sendBlock(task(service, 99, { lane: 'breaking', notification }));
    expect(outcomesOf(sent)).toEqual(new Set(['accepted']));
    expect(sent.seqs).toHaveLength(TARGETS);
    expect(ended).toBe(0);
    expect(service.received.length - held).toBe(TARGETS);
    for (const close of closers.splice(0).reverse()) await close();
    await Promise.all(bulk);
  });

  it('of the same app, too, may exceed the limit that bulk ones have used up', async () => {
    const { service, sender } = await start();
    const state = createChannelState(1, Date.now());
    let ended = false;
    const bulk = sender.sendBlock(task(service, 1, { channelState: state })).then(() => {
      ended = true;
    });
    expect(await hanging(service)).toBeLessThan(TARGETS);
    const notification = makeNotification({ urgency: 'high' });
    const sent = await sender.sendBlock(
      task(service, 1, { channelState: state, lane: 'breaking', notification }),
    );
    expect(outcomesOf(sent)).toEqual(new Set(['accepted']));
    expect(ended).toBe(false);
    for (const close of closers.splice(0).reverse()) await close();
    await bulk;
  });
});
