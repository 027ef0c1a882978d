import type { TcpProxy } from '../../support/tcp-proxy.ts';
import type { FaultKinds } from './fault.ts';
import type { World } from './world.ts';

const DELAY_MS = 300;
const DROPPED_ANSWERS = 2;
/** Every engine in turn cannot write how its blocks ended. */
const ALL_ENGINES = 3;

/** Postgres and ClickHouse requests are recognized by their text, Kafka's by the number of the API in the header. */
const commits = (request: Buffer): boolean =>
  request.includes('COMMIT') || request.includes('WITH counted AS');
const inserts = (request: Buffer): boolean => request.includes('INSERT');
const produces = (request: Buffer): boolean => request.length > 8 && request.readInt16BE(4) === 0;

type WayName = keyof World['ways'];

function wayOf({ ways }: World, name: WayName): TcpProxy {
  const way = ways[name];
  if (way === null) throw new Error(`there is no ${name} in this run`);
  return way;
}

/** What a network can do to the way to one server. */
function wayFaults(name: WayName, enginesLost: number, answers: (request: Buffer) => boolean): FaultKinds {
  const base = {
    targets: () => [name] as const,
    log: name === 'kafka' ? ('kafka' as const) : null,
    end: (world: World) => wayOf(world, name).restore(),
  };
  const lossy = { ...base, enginesLost };
  return {
    [`${name} cut off`]: { ...lossy, forMs: [200, 5_000], begin: (world) => wayOf(world, name).cut() },
    [`${name} blackholed`]: {
      ...lossy,
      forMs: [1_000, 6_000],
      begin: (world) => wayOf(world, name).blackhole(),
    },
    [`${name} slow`]: {
      ...base,
      enginesLost: 0,
      forMs: [2_000, 6_000],
      begin: (world) => wayOf(world, name).delay(DELAY_MS),
    },
    /** The server has done the work, and its answer is lost. */
    [`${name} answer dropped`]: {
      ...lossy,
      forMs: [2_000, 5_000],
      begin: (world) => wayOf(world, name).dropAnswers(DROPPED_ANSWERS, answers),
    },
  };
}

export const serverFaults: FaultKinds = {
  'postgres stopped': {
    targets: () => ['postgres'],
    log: null,
    forMs: [200, 5_000],
    enginesLost: ALL_ENGINES,
    begin: ({ postgres }) => postgres.shutDown('fast'),
    end: ({ postgres }) => postgres.start(),
  },
  'postgres crashed': {
    targets: () => ['postgres'],
    log: null,
    forMs: [200, 5_000],
    enginesLost: ALL_ENGINES,
    begin: ({ postgres }) => postgres.shutDown('immediate'),
    end: ({ postgres }) => postgres.start(),
  },
  'kafka stopped': {
    targets: () => ['kafka'],
    log: 'kafka',
    forMs: [200, 5_000],
    enginesLost: 0,
    begin: ({ kafka }) => kafka?.terminate(),
    end: ({ kafka }) => kafka?.restart(),
  },
  'kafka killed': {
    targets: () => ['kafka'],
    log: 'kafka',
    forMs: [200, 5_000],
    enginesLost: 0,
    begin: ({ kafka }) => kafka?.kill(),
    end: ({ kafka }) => kafka?.restart(),
  },
  'kafka disk full': {
    targets: () => ['kafka'],
    log: 'kafka',
    forMs: [1_000, 5_000],
    enginesLost: 0,
    begin: ({ kafka }) => kafka?.fillDisk(),
    end: ({ kafka }) => kafka?.restart(),
  },
  'clickhouse killed': {
    targets: () => ['clickhouse'],
    log: null,
    forMs: [200, 8_000],
    enginesLost: 0,
    begin: ({ clickhouse }) => clickhouse.kill(),
    end: ({ clickhouse }) => clickhouse.restart(),
  },
  ...wayFaults('postgres', ALL_ENGINES, commits),
  ...wayFaults('kafka', 0, produces),
  ...wayFaults('clickhouse', 0, inserts),
};
