// tier: unit
import type { Kafka } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { createClusterAdmin } from '../../../engine/adapters/kafka/admin.ts';
import { compileOptions } from '../../../engine/adapters/kafka/options.ts';
import { createRefusals } from '../../../engine/adapters/kafka/refusals.ts';
import { pause } from '../../../engine/contract/concurrency/clock.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const turn = () => new Promise(setImmediate);

/** A cluster whose connections take this long to make, and whose answers can fail. */
function clusterWith({ connectMs = 0, fails = () => false }) {
  const clock = createManualClock();
  const settings = compileOptions({ brokers: ['b1:9092'], clock });
  const counts = { made: 0, closed: 0 };
  const kafka = {
    admin: () => {
      counts.made++;
      return {
        connect: () => pause(clock, connectMs),
        disconnect: async () => void counts.closed++,
        describeCluster: () => (fails() ? Promise.reject(new Error('away')) : Promise.resolve({})),
      };
    },
  } as unknown as Kafka;
  return { clock, counts, admin: createClusterAdmin(kafka, settings, createRefusals(settings)) };
}

async function advance(clock: ReturnType<typeof createManualClock>, ms: number): Promise<void> {
  await turn();
  clock.advance(ms);
  await turn();
}

describe('questions to the cluster', () => {
  it('wait for a connection whose first broker is silent for longer than a ping may take', async () => {
    const { clock, counts, admin } = clusterWith({ connectMs: 3_000 });
    const first = admin.ping();
    await advance(clock, 2_000);
    expect(await first).toBe(false);
    const second = admin.ping();
    await advance(clock, 1_000);
    expect(await second).toBe(true);
    expect(counts).toEqual({ made: 1, closed: 0 });
  });

  it('get a new connection after a failure', async () => {
    let failing = true;
    const { clock, counts, admin } = clusterWith({ fails: () => failing });
    const first = admin.ping();
    await advance(clock, 0);
    expect(await first).toBe(false);
    failing = false;
    const second = admin.ping();
    await advance(clock, 0);
    expect(await second).toBe(true);
    expect(counts).toEqual({ made: 2, closed: 1 });
  });

  it('hold up no close for a connection that is never made', async () => {
    const { clock, counts, admin } = clusterWith({ connectMs: 3_600_000 });
    const asked = admin.ping();
    await advance(clock, 0);
    const closing = admin.close();
    await advance(clock, 3_000);
    await closing;
    expect(await asked).toBe(false);
    await advance(clock, 3_600_000);
    expect(counts).toEqual({ made: 1, closed: 1 });
  });
});
