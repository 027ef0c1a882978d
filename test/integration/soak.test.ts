// tier: system
import { expect, it } from 'vitest';
import { soak } from '../chaos/runner/soak.ts';

it('holds the same after the fifteenth delivery as after the tenth: memory, timers, sockets and files', async () => {
  const deliveries = 15;
  const subscribers = 500;
  const { grown, accepted } = await soak({ deliveries, subscribers });
  expect(grown).toEqual([]);
  expect(accepted).toBeGreaterThanOrEqual(deliveries * subscribers);
}, 900_000);
