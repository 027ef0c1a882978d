// tier: system
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliver } from '../../bench/stand/deliver.ts';
import { type Stand, startStand } from '../../bench/stand/stand.ts';
import { type BroadsideProcess, startBroadside } from '../support/broadside-process.ts';
import { until } from '../support/engine-harness.ts';

const SUBSCRIBERS = 5_000;
const BLOCKS_IN_FLIGHT = 2;

/** Small shards, so that there are many. */
const settings = {
  WORKER_THREADS: '1',
  SHARD_BLOCKS: '1',
  BLOCKS_IN_FLIGHT: String(BLOCKS_IN_FLIGHT),
};
/**
 * What a killed process held is free again soon. Above the default deadline of an answer: on a busy machine a shorter one
 * would send messages again.
 */
const shortLeases = { LEASE_MS: '11000' };

describe('Broadside stopped in the middle of a delivery and started again on the same folder', () => {
  let stand: Stand;
  let running: BroadsideProcess;

  beforeAll(async () => {
    stand = await startStand({
      subscribers: SUBSCRIBERS,
      // They are counted: the demo's test reads every message.
      verify: 'none',
      kafkaBrokers: null,
      env: settings,
      onStep: () => {},
    });
    running = stand.broadside;
    await stand.pushService.setFaults([{ action: { kind: 'latency', ms: 60 } }]);
  });
  afterAll(async () => {
    await running?.stop();
    await stand?.close();
  });

  /** Posts, calls `stop` once a fifth is accepted, starts Broadside again, and waits for the end. */
  const interrupted = async (stop: () => Promise<unknown>) => {
    // Nothing of the delivery before counts.
    await stand.pushService.mark('interrupted');
    const delivering = deliver(stand, () => {});
    await until('a fifth', async () => (await stand.pushService.ledger()).accepted > SUBSCRIBERS / 5);
    await stop();
    expect((await stand.pushService.ledger()).accepted).toBeLessThan(SUBSCRIBERS);
    running = await startBroadside({
      args: ['up'],
      env: { ...stand.env, ...shortLeases },
      readyUrl: `${stand.internalUrl}/health/ready`,
    });
    return (await delivering).books;
  };

  /** The status of the readiness page; 0 without an answer. */
  const readiness = (): Promise<number> =>
    fetch(`${stand.internalUrl}/health/ready`).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.status;
      },
      () => 0,
    );

  const everyBookIsFull = {
    delivery: {
      status: 'success',
      total_subscribers: SUBSCRIBERS,
      success_count: SUBSCRIBERS,
      failed_count: 0,
    },
    push_service: { distinct: SUBSCRIBERS },
    clickhouse: { accepted: SUBSCRIBERS },
  };

  it('sends nothing twice and loses nothing after a SIGTERM: work in flight finished, the rest continued', async () => {
    const answers: number[] = [];
    const books = await interrupted(async () => {
      const stopped = running.stop();
      let isOver = false;
      void stopped.then(() => {
        isOver = true;
      });
      while (!isOver) answers.push(await readiness());
      expect(await stopped).toBe(0);
    });
    // Readiness goes first: traffic is turned away while work in flight still finishes.
    expect(answers).toContain(503);
    expect(answers.slice(answers.indexOf(503))).not.toContain(200);
    expect(books).toMatchObject(everyBookIsFull);
    expect(books.push_service.duplicates).toBe(0);
  });

  it('serves every subscriber after a SIGKILL, and sends at most the blocks in flight twice', async () => {
    const books = await interrupted(() => running.kill());
    expect(books).toMatchObject(everyBookIsFull);
    expect(books.push_service.duplicates).toBeLessThanOrEqual(BLOCKS_IN_FLIGHT * 1_024);
  });
});
