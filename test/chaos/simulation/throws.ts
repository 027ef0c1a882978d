import { createRandom } from './random.ts';
import { FAULTS_END_MS } from './times.ts';
import type { World } from './world.ts';

const MOST = 3;
/** Lines begin to throw, and stop. With numbers of its own, so that the rest of a seed stays as it is. */
export function scheduleThrows(world: World): void {
  if (world.calm) return;
  const random = createRandom(world.seed ^ 0xbad);
  for (let count = random.int(0, MOST); count > 0; count--) {
    const chance = random.next() ** 3;
    const forMs = random.int(200, 15_000);
    world.clock.setTimer(random.int(0, FAULTS_END_MS - 15_000), () => {
      world.note(`lines throw, ${Math.round(chance * 100)} of 100, for ${forMs} ms`);
      world.defects.chance = chance;
      world.clock.setTimer(forMs, () => {
        world.defects.chance = 0;
      });
    });
  }
}
