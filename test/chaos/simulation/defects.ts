import type { SendBlockDeps } from '../../../engine/worker/send-block.ts';
import type { Random } from './random.ts';

/** How likely a line of a worker's block throws: 0, except for a few moments. */
export interface Defects {
  chance: number;
}

type Parts = Omit<SendBlockDeps, 'client' | 'sink'>;

/** Pure counters, which the permits are given back by: with a throw in them nothing could be. */
const counters = ['take', 'give', 'started', 'ended', 'of', 'inFlight', 'newBoard', 'use'];

/** The parts of a thread, each of whose functions may throw instead of being called, or when it is done. */
export function withDefects(parts: Parts, defects: Defects, random: Random): Parts {
  const line = <Given extends unknown[], Result>(work: (...given: Given) => Result) =>
    throwingLine(work, defects, random);
  const object = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [
        name,
        typeof value === 'function' && !counters.includes(name) ? line(value.bind(part)) : value,
      ]),
    ) as Part;
  const { window } = parts;
  return {
    ...parts,
    // One message alone is never drawn: its reader would fail for what is theirs.
    encryptBatch: (plaintexts, keys) =>
      (keys.length > 1 ? line(parts.encryptBatch) : parts.encryptBatch)(plaintexts, keys),
    authorize: line(parts.authorize),
    random: line(parts.random),
    now: line(parts.now),
    governor: object(parts.governor),
    probation: object(parts.probation),
    origins: object(parts.origins),
    window: { ...window, of: (lane) => object(window.of(lane)) },
  };
}

function throwingLine<Given extends unknown[], Result>(
  work: (...given: Given) => Result,
  defects: Defects,
  random: Random,
): (...given: Given) => Result {
  const mayThrow = (): void => {
    if (defects.chance > 0 && random.chance(defects.chance)) throw new Error('a line throws');
  };
  return (...given) => {
    mayThrow();
    const result = work(...given);
    mayThrow();
    return result;
  };
}
