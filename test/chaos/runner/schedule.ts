import { STRIKES_TO_RETIRE } from '../../../engine/contract/shard.ts';
import { createRandom, type Random } from '../simulation/random.ts';
import { type CampaignKind, campaignKinds, sendsOf } from './campaigns.ts';
import type { ScheduledCorrection } from './corrections.ts';
import { defectFaults, LINES_THROW } from './defect-faults.ts';
import { drawFault, type Fault, type FaultKinds, type Target } from './fault.ts';
import type { LogName } from './log-name.ts';
import { processFaults } from './process-faults.ts';
import { pushFaults } from './push-faults.ts';
import { serverFaults } from './server-faults.ts';
import { STRANGERS, strangerFaults } from './stranger-faults.ts';

export const faultKinds: FaultKinds = {
  ...processFaults,
  ...serverFaults,
  ...pushFaults,
  ...strangerFaults,
  ...defectFaults,
};

/** A run: the deliveries, their audiences and the faults meanwhile. It follows from (seed, log) alone. */
export interface Schedule {
  readonly seed: number;
  readonly log: LogName;
  readonly subscribers: number;
  readonly deliveries: readonly ScheduledDelivery[];
  readonly campaigns: readonly ScheduledCampaign[];
  /** Beside these; null under a cap, where what a stopped delivery leaves is another's. */
  readonly correction: ScheduledCorrection | null;
  /** The app's frequency cap within a day; null: none. Less than deliveries, so that it has work. */
  readonly cap: number | null;
  /** In the order of their beginnings. */
  readonly faults: readonly Fault[];
}

export interface ScheduledDelivery {
  readonly atMs: number;
  readonly lane: 'bulk' | 'breaking';
}

export interface ScheduledCampaign {
  readonly atMs: number;
  readonly kind: CampaignKind;
}

const FAULTS = [4, 7] as const;
const SUBSCRIBERS = [2_000, 6_000] as const;
const WITHIN_MS = 14_000;
/** While deliveries run. */
const STRANGERS_WITHIN_MS = 6_000;
/** Whole groups of faults are drawn first, so that the many of the push services do not crowd out the rest. */
const groups: readonly [FaultKinds, ...FaultKinds[]] = [
  processFaults,
  serverFaults,
  serverFaults,
  pushFaults,
];
const CAPPED_RUNS = 0.4;
/** Most of what strangers do needs no luck: once a run does. */
const RUNS_WITH_STRANGERS = 0.3;
const MAX_DRAWS = 200;
/** Each run has one of each kind; their steps fall among the faults. */
const campaigns: readonly ScheduledCampaign[] = campaignKinds.map((kind, n) => ({ atMs: 1_500 * n, kind }));
/** After a fault ends, this much time passes before the next one takes the same thing. */
const BETWEEN_MS = 1_000;

export function drawSchedule(seed: number, log: LogName): Schedule {
  const random = createRandom(seed * 2 + (log === 'kafka' ? 1 : 0));
  const subscribers = random.int(...SUBSCRIBERS);
  const deliveries = [
    { atMs: 0, lane: 'bulk' as const },
    ...Array.from({ length: random.int(1, 2) }, () => ({
      atMs: random.int(500, 8_000),
      lane: random.chance(0.3) ? ('breaking' as const) : ('bulk' as const),
    })),
  ];
  const faults = [...drawFaults(random, log), drawDefect(seed)].sort((one, other) => one.atMs - other.atMs);
  const cap = random.chance(CAPPED_RUNS) ? random.int(1, deliveries.length - 1) : null;
  const correction = cap === null ? drawCorrection(seed) : null;
  const schedule = { seed, log, subscribers, deliveries, campaigns, correction, faults, cap };
  return random.chance(RUNS_WITH_STRANGERS) ? withStrangers(schedule, random) : schedule;
}

/** Each run has one. With numbers of its own, so that the rest of a seed stays as it is. */
const drawDefect = (seed: number): Fault =>
  drawFault(createRandom(seed ^ 0xbad), LINES_THROW, defectFaults[LINES_THROW], WITHIN_MS);

/** With numbers of its own, so that the rest of a seed stays as it is. */
function drawCorrection(seed: number): ScheduledCorrection {
  const random = createRandom(seed ^ 0x5eed);
  return { atMs: random.int(0, 8_000), afterMs: random.int(0, 1_500) };
}

/**
 * Without a cap: strangers would take its slots. With deliveries enough for invented names to retire, because
 * until then each of them waits.
 */
function withStrangers(schedule: Schedule, random: Random): Schedule {
  const missing = Math.max(0, STRIKES_TO_RETIRE - schedule.deliveries.length);
  const more = Array.from({ length: missing }, () => ({
    atMs: random.int(500, 8_000),
    lane: 'bulk' as const,
  }));
  const strangers = drawFault(random, STRANGERS, strangerFaults[STRANGERS], STRANGERS_WITHIN_MS);
  return {
    ...schedule,
    cap: null,
    correction: drawCorrection(schedule.seed),
    deliveries: [...schedule.deliveries, ...more],
    faults: [...schedule.faults, strangers].sort((one, other) => one.atMs - other.atMs),
  };
}

export const hasStrangers = ({ faults }: Schedule): boolean => faults.some(({ kind }) => kind === STRANGERS);

function drawFaults(random: Random, log: LogName): Fault[] {
  const wanted = random.int(...FAULTS);
  const faults: Fault[] = [];
  for (let draw = 0; draw < MAX_DRAWS && faults.length < wanted; draw++) {
    const names = Object.entries(random.pick(groups)).filter(
      ([, kind]) => kind.log === null || kind.log === log,
    );
    const [name, kind] = names[random.int(0, names.length - 1)] ?? [];
    if (name === undefined || kind === undefined) continue;
    const fault = drawFault(random, name, kind, WITHIN_MS);
    if (!faults.some((other) => collide(fault, other))) faults.push(fault);
  }
  return faults.sort((one, other) => one.atMs - other.atMs);
}

function collide(one: Fault, other: Fault): boolean {
  const apart =
    one.atMs > other.atMs + other.forMs + BETWEEN_MS || other.atMs > one.atMs + one.forMs + BETWEEN_MS;
  return !apart && targetsOf(one).some((target) => targetsOf(other).includes(target));
}

export const targetsOf = (fault: Fault): readonly Target[] =>
  faultKinds[fault.kind]?.targets(fault.engine) ?? [];

/** Of all faults together: engines whose blocks in flight may have been sent twice. */
export const enginesLost = (faults: readonly Fault[]): number =>
  faults.reduce((sum, fault) => sum + (faultKinds[fault.kind]?.enginesLost ?? 0), 0);

/** How many different messages the push services take when every subscriber is served. */
export function messagesOf({ subscribers, deliveries, campaigns, cap }: Schedule): number {
  const sends = deliveries.length + campaigns.reduce((sum, { kind }) => sum + sendsOf[kind], 0);
  return subscribers * Math.min(sends, cap ?? Number.POSITIVE_INFINITY);
}
