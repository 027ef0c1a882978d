import { SingleBar } from 'cli-progress';
import { printNote } from '../../../engine/kit/command-line/terminal.ts';

/** On stderr: a bar on a terminal, otherwise a line for each tenth. */
export interface Progress {
  /** Begins a step that has so much work, in any unit. */
  begin(step: string, total: number): void;
  add(work: number): void;
  stop(): void;
}

const TENTHS = 10;

export function createProgress(): Progress {
  const bar = process.stderr.isTTY
    ? new SingleBar({
        format: '{step} [{bar}] {percentage}% | {eta_formatted} left',
        stream: process.stderr,
        hideCursor: true,
      })
    : null;
  let step = '';
  let total = 1;
  let done = 0;
  let said = 0;
  return {
    begin: (name, work) => {
      bar?.stop();
      step = name;
      total = Math.max(1, work);
      done = 0;
      said = 0;
      bar?.start(total, 0, { step });
    },
    add: (work) => {
      done = Math.min(total, done + work);
      bar?.update(done);
      const tenths = Math.floor((done / total) * TENTHS);
      if (bar !== null || tenths <= said) return;
      said = tenths;
      printNote(`${step}: ${tenths * TENTHS}%`);
    },
    stop: () => bar?.stop(),
  };
}
