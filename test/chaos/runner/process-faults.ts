import { LEASE_MS } from './crew.ts';
import type { Fault, FaultKinds, Target } from './fault.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;
const engineOf = ({ crew }: World, { engine }: Fault) => crew.engines[engine];
const theEngine = (engine: 0 | 1): readonly Target[] => [engine === 0 ? 'engine-1' : 'engine-2'];
const base = { log: null, enginesLost: 0 } as const;

/** What may happen to Broadside's own processes. */
export const processFaults: FaultKinds = {
  'engine killed': {
    ...base,
    targets: theEngine,
    forMs: [100, 4_000],
    enginesLost: 1,
    begin: (world, fault) => engineOf(world, fault).kill(),
    end: (world, fault) => engineOf(world, fault).start(),
  },
  /** Its machine, with whatever it held in Postgres. */
  'engine vanished': {
    ...base,
    targets: theEngine,
    forMs: [100, 4_000],
    enginesLost: 1,
    begin: (world, fault) => world.crew.vanish(engineOf(world, fault)),
    end: (world, fault) => engineOf(world, fault).start(),
  },
  /** One of its threads, with its blocks in flight: it is replaced, and they are sent again. */
  'engine thread killed': {
    ...base,
    targets: theEngine,
    forMs: [500, 2_000],
    enginesLost: 1,
    begin: (world, fault) => world.crew.killThreads(engineOf(world, fault)),
    end: () => {},
  },
  'engine terminated': {
    ...base,
    targets: theEngine,
    forMs: [100, 4_000],
    begin: (world, fault) => engineOf(world, fault).stop(),
    end: (world, fault) => engineOf(world, fault).start(),
  },
  /** Longer than its lease or not: it comes back and believes that it still has what it had. */
  'engine paused': {
    ...base,
    targets: theEngine,
    forMs: [500, 2 * LEASE_MS],
    enginesLost: 1,
    begin: (world, fault) => engineOf(world, fault).signal('SIGSTOP'),
    end: (world, fault) => engineOf(world, fault).signal('SIGCONT'),
  },
  /** A rebalance while shards are in flight, and another one when it leaves. */
  'engine joins and leaves': {
    ...base,
    targets: () => ['guest'],
    forMs: [4_000, 9_000],
    begin: ({ crew }) => crew.guest.start(),
    end: ({ crew }) => crew.guest.stop(),
  },
  'engine joins and is killed': {
    ...base,
    targets: () => ['guest'],
    forMs: [4_000, 9_000],
    enginesLost: 1,
    begin: ({ crew }) => crew.guest.start(),
    end: ({ crew }) => crew.guest.kill(),
  },
  'api killed': {
    ...base,
    targets: () => ['api'],
    forMs: [100, 3_000],
    begin: ({ crew }) => crew.api.kill(),
    end: ({ crew }) => crew.api.start(),
  },
  'api vanished': {
    ...base,
    targets: () => ['api'],
    forMs: [100, 3_000],
    begin: ({ crew }) => crew.vanish(crew.api),
    end: ({ crew }) => crew.api.start(),
  },
  'everything killed': {
    ...base,
    targets: () => ['api', 'engine-1', 'engine-2'],
    forMs: [100, 2_000],
    enginesLost: 2,
    begin: ({ crew }) => Promise.all([crew.api, ...crew.engines].map((keeper) => keeper.kill())),
    end: ({ crew }) => {
      for (const keeper of [crew.api, ...crew.engines]) keeper.start();
    },
  },
  /** Of one process: the clock that leases and due times go by is that of Postgres. */
  'clock set forward': {
    ...base,
    targets: theEngine,
    forMs: [1_000, 6_000],
    begin: (world, fault) => world.crew.setClockOffset(engineOf(world, fault), HOUR_MS),
    end: (world, fault) => world.crew.setClockOffset(engineOf(world, fault), 0),
  },
  'clock set back': {
    ...base,
    targets: theEngine,
    forMs: [1_000, 6_000],
    begin: (world, fault) => world.crew.setClockOffset(engineOf(world, fault), -HOUR_MS),
    end: (world, fault) => world.crew.setClockOffset(engineOf(world, fault), 0),
  },
};
