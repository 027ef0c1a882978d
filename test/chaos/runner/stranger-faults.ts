import type { FaultKind } from './fault.ts';

export const STRANGERS = 'strangers';

/**
 * A run that has it begins with strangers among the readers. They take nothing away, so that they trouble the run
 * while everything else happens.
 */
export const strangerFaults: Readonly<Record<typeof STRANGERS, FaultKind>> = {
  [STRANGERS]: {
    targets: () => ['strangers'],
    log: null,
    forMs: [3_000, 8_000],
    enginesLost: 0,
    begin: (_world, _fault, strangers) => strangers?.trouble(),
    end: (_world, _fault, strangers) => strangers?.rest(),
  },
};
