import { backOffMs } from '../../contract/concurrency/back-off.ts';
import { type Clock, pause } from '../../contract/concurrency/clock.ts';
import { KafkaRefused } from './refusals.ts';

/** Some six seconds in all: a busy broker takes as long to load what it leads now. */
const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2_000;

/** Leaders and coordinators move, and a new one refuses for a moment: a question is repeated a few times. */
export async function askAgain<T>(
  clock: Clock,
  question: () => Promise<T>,
  isOver: () => boolean = () => false,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await question();
    } catch (error) {
      if (tries === MAX_TRIES || isOver() || error instanceof KafkaRefused) throw error;
      await pause(clock, backOffMs(FIRST_PAUSE_MS, MAX_PAUSE_MS, tries - 1));
    }
  }
}
