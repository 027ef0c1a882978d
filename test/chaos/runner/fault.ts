import type { Random } from '../simulation/random.ts';
import type { LogName } from './log-name.ts';
import type { Strangers } from './strangers.ts';
import type { World } from './world.ts';

/** What a fault takes away, or who does it: two faults of one run never have the same at the same time. */
export type Target =
  | 'engine-1'
  | 'engine-2'
  | 'guest'
  | 'api'
  | 'postgres'
  | 'kafka'
  | 'clickhouse'
  | 'push'
  | 'lines'
  | 'strangers';

/** A fault as a schedule holds it. */
export interface Fault {
  readonly kind: string;
  /** From the first delivery's POST. */
  readonly atMs: number;
  readonly forMs: number;
  /** The engine that is meant, where the kind is about one. */
  readonly engine: 0 | 1;
}

/** A kind of fault: how it begins and how it is fixed. */
export interface FaultKind {
  readonly targets: (engine: 0 | 1) => readonly Target[];
  /** Null: on any log. */
  readonly log: LogName | null;
  readonly forMs: readonly [least: number, most: number];
  /**
   * Engines whose blocks in flight may be sent twice through it: killed, or back after their lease was lost, or
   * unable to write how a block ended.
   */
  readonly enginesLost: number;
  /** Awaited, as is `end`. `strangers` is null in a run that has none. */
  begin(world: World, fault: Fault, strangers: Strangers | null): unknown;
  end(world: World, fault: Fault, strangers: Strangers | null): unknown;
}

export type FaultKinds = Readonly<Record<string, FaultKind>>;

export function drawFault(random: Random, kind: string, { forMs }: FaultKind, withinMs: number): Fault {
  const engine = random.chance(0.5) ? 1 : 0;
  return { kind, engine, atMs: random.int(0, withinMs), forMs: random.int(forMs[0], forMs[1]) };
}
