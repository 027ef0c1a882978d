// tier: unit
import { describe, expect, it } from 'vitest';
import { failureCode, outcomeCode } from '../../engine/contract/outcome.ts';
import { createGovernor, governorOptions } from '../../engine/worker/governor.ts';
import { createOrigins } from '../../engine/worker/origin-health.ts';
import { createProbation } from '../../engine/worker/probation.ts';
import type { BlockSent, SendBlock } from '../../engine/worker/protocol.ts';
import type { PushClient } from '../../engine/worker/push-client.ts';
import { createSendBlock } from '../../engine/worker/send-block.ts';
import { createWindow } from '../../engine/worker/window.ts';
import { copyOf as copyWithTags } from '../support/memory-stores/copy.ts';
import { makeRows, makeTask, makeWorkerOptions } from './support.ts';

const READERS = 40;
const IN_FLIGHT = 16;
/** Real, so that its permits count; and one of a host that nobody knows, so that they are on probation. */
const ORIGINS = ['https://fcm.googleapis.com', 'https://push.example'];
const accepted = {
  ...{ status: 201, latencyMs: 1, retryAfter: null, connected: true, text: '' },
  failure: failureCode.answered,
};

type Line = <Given extends unknown[], Result>(
  work: (...given: Given) => Result,
) => (...given: Given) => Result;

/** Counts the lines that run, and throws at one of them: instead of it, or when it is done. */
function createLines(throwsAt: number) {
  let ran = 0;
  const mayThrow = (): void => {
    if (ran++ === throwsAt) throw new Error('this line throws');
  };
  const line: Line =
    (work) =>
    (...given) => {
      mayThrow();
      const result = work(...given);
      mayThrow();
      return result;
    };
  return { line, ran: () => ran };
}

/** A thread whose parts throw at one line, and then no more. */
function createThread(throwsAt: number) {
  const { line, ran } = createLines(throwsAt);
  const options = makeWorkerOptions({ maxInFlight: IN_FLIGHT });
  const window = createWindow(IN_FLIGHT);
  const probation = createProbation();
  const origins = createOrigins();
  const governor = createGovernor(governorOptions(options));
  const posted: number[] = [];
  const client: Pick<PushClient, 'post'> = {
    post: line(({ index }, listener) => {
      posted.push(index);
      setImmediate(() => listener.answered(index, accepted));
    }),
  };
  const sendBlock = createSendBlock({
    ...{ options, client, sink: client, window },
    encryptBatch: line((_texts, keys) => keys.map(() => Buffer.from('body'))),
    authorize: line(() => 'vapid'),
    random: line(Math.random),
    now: line(Date.now),
    governor: {
      ...governor,
      allowance: line(governor.allowance),
      answered: line(governor.answered),
      wasThrottled: line(governor.wasThrottled),
    },
    probation: {
      ...probation,
      room: line(probation.room),
      answered: line(probation.answered),
      isUnproven: line(probation.isUnproven),
    },
    origins: {
      ...origins,
      closedForMs: line(origins.closedForMs),
      mayStart: line(origins.mayStart),
      trust: line(origins.trust),
    },
  });
  return { sendBlock, posted, ran, window, probation, origins };
}

const taskTo = (origin: string): SendBlock => makeTask(makeRows(origin, READERS));

describe.each(ORIGINS)('a line that throws while a block is sent to %s', (origin) => {
  it('gives every permit back, and reports what was sent, whichever line it is', async () => {
    const whole = createThread(Number.POSITIVE_INFINITY);
    await whole.sendBlock(taskTo(origin));
    const lines = whole.ran();
    expect(lines).toBeGreaterThan(200);

    let reported = 0;
    for (let at = 0; at < lines; at++) {
      const { sendBlock, posted, window, origins } = createThread(at);
      const task = taskTo(origin);
      const sent = await sendBlock(task).catch((error: Error) => error);
      if (sent instanceof Error) {
        // Before the first message.
        expect(posted).toEqual([]);
      } else {
        if (sent.failure !== undefined) reported++;
        for (const index of posted) expect(sent.outcomes[index]).not.toBe(outcomeCode.unsent);
        expect(posted).toEqual([...new Set(posted)]);
      }
      expect(window.inFlight()).toBe(0);
      const health = origins.of(origin);
      expect(health.inFlight).toBe(0);
      // The thread goes on as if nothing had happened.
      const again = await sendBlock(taskTo(origin));
      expect(again.outcomes.every((code) => code === outcomeCode.accepted)).toBe(true);
    }
    expect(reported).toBeGreaterThan(lines / 3);
  });
});

describe('a reader’s data', () => {
  const wording: NonNullable<SendBlock['wording']> = {
    texts: [
      { language: null, parts: ['Hello ', [0, 'text']] },
      { language: 'de', parts: ['Hallo ', [1, 'text']] },
    ],
    outputs: ['{{ tag.a | default: "reader" }}', '{{ (1..tag.a) }}'],
    tags: ['a'],
  };
  const row = (seq: number, reads?: { language: string; tagValues: string }) => ({
    ...{ appId: 1 as never, seq, endpoint: `${ORIGINS[0]}/${seq}`, subscribed: true, lastSeenAtMs: 0 },
    ...{ zone: null, zoneChangedAtMs: null },
    ...(reads === undefined ? {} : { reads }),
  });
  const reasonsOf = ({ reasons }: BlockSent): string[] => reasons.map(({ text }) => text);

  it('that cannot be rendered fails that reader’s message alone, before it takes a permit', async () => {
    const { sendBlock, posted, window } = createThread(Number.POSITIVE_INFINITY);
    const sent = await sendBlock({
      ...makeTask([]),
      wording,
      targets: copyWithTags(
        [
          row(0),
          row(1, { language: 'de', tagValues: '["100001"]' }),
          row(2, { language: '', tagValues: '["' }),
          row(3, { language: '', tagValues: '["100001"]' }),
          row(4, { language: '', tagValues: 'null' }),
          row(5, { language: '', tagValues: '[{"a":{"b":1}}]' }),
        ],
        ['a'],
      ),
    });
    expect([...posted].sort()).toEqual([0, 3, 5]);
    const { accepted: taken, rejected } = outcomeCode;
    expect([...sent.outcomes]).toEqual([taken, rejected, rejected, taken, rejected, taken]);
    expect(reasonsOf(sent)).toEqual([
      'not sent: the text has a {{ }} that is no longer known',
      'not sent: the reader’s tags cannot be read',
    ]);
    expect(sent.failure).toBeUndefined();
    expect(window.inFlight()).toBe(0);
  });

  it('that makes the text too long fails that reader’s message alone', async () => {
    const { sendBlock, posted } = createThread(Number.POSITIVE_INFINITY);
    const filled: NonNullable<SendBlock['wording']> = {
      ...wording,
      texts: [{ language: null, parts: ['x'.repeat(3_900), [0, 'text']] }],
    };
    const sent = await sendBlock({
      ...makeTask([]),
      wording: filled,
      targets: copyWithTags(
        [row(0), row(1, { language: '', tagValues: JSON.stringify(['€'.repeat(255)]) })],
        ['a'],
      ),
    });
    expect(posted).toEqual([0]);
    expect(reasonsOf(sent)).toEqual(['not sent: with the reader’s tags the text is too long']);
  });
});
