import type { FaultKind } from './fault.ts';

export const LINES_THROW = 'lines of a block throw';

/** A defect takes nothing away, and must cost no reader a message or get anyone a second one. */
export const defectFaults: Readonly<Record<typeof LINES_THROW, FaultKind>> = {
  [LINES_THROW]: {
    targets: () => ['lines'],
    log: null,
    forMs: [1_000, 5_000],
    enginesLost: 0,
    begin: ({ crew }) => crew.setLinesThrow(true),
    end: ({ crew }) => crew.setLinesThrow(false),
  },
};
