import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { type DeliveryRow, shardsOf, subscriptionKey } from '../../support/memory-stores/tables.ts';
import { neverPlanned } from './campaigns.ts';
import { isHopeless } from './engine.ts';
import { createRandom } from './random.ts';
import { seqsOf, unsureOf } from './reached.ts';
import { FAULTS_END_MS } from './times.ts';
import type { World } from './world.ts';

const MOST = 3;

/** Somebody corrects what is being sent, or was. With numbers of its own, so that the rest of a seed stays as it is. */
export function scheduleCorrections(world: World): void {
  const random = createRandom(world.seed ^ 0x5eed);
  const { clock, tables, publisher } = world;
  for (let count = random.int(0, MOST); count > 0; count--) {
    const drawn = random.next();
    clock.setTimer(random.int(500, FAULTS_END_MS), () => {
      const begun = tables.deliveries.all().filter(({ id }) => shardsOf(tables, id).length > 0);
      const wrong = begun[Math.floor(drawn * begun.length)];
      const id = wrong === undefined ? null : publisher.correct(wrong.id);
      if (id !== null) world.note(`delivery ${id} corrects ${wrong?.id}`);
    });
  }
}

/** A correction is for exactly those who may have got the first one, and are subscribed still. */
export function checkCorrections(world: World): string[] {
  return world.tables.deliveries
    .all()
    .flatMap((row) => (row.corrects === null ? [] : check(world, row, row.corrects)));
}

function check(world: World, correction: DeliveryRow, corrects: DeliveryId): string[] {
  const { tables, moved } = world;
  const { id, appId, status } = correction;
  const accepted = new Set([...seqsOf(world, corrects, 'accepted'), ...unsureOf(world, corrects)]);
  const audience = seqsOf(world, id, 'audience');
  const strange = [...audience].filter((seq) => !accepted.has(seq));
  const broken = strange.map((seq) => `correction ${id} is for ${seq}, whom ${corrects} never reached`);
  const isWhole = !shardsOf(tables, id).some(({ lostLeases }) => isHopeless(lostLeases));
  if (status === 'cancelled' || neverPlanned(correction) || !isWhole) return broken;
  const missed = [...accepted].filter((seq) => {
    const key = subscriptionKey(appId, seq);
    const isReader = tables.subscriptions.get(key)?.subscribed === true && !moved.has(key);
    return isReader && !audience.has(seq);
  });
  return [...broken, ...missed.map((seq) => `correction ${id} left out ${seq}, whom ${corrects} reached`)];
}
