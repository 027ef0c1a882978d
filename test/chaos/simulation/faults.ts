import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import { subscriptionKey } from '../../support/memory-stores/tables.ts';
import type { SimulatedEngine } from './engine.ts';
import { endpointOf, isStrangers, SERVICES } from './push-service.ts';
import type { Random } from './random.ts';
import { subscribeStrangers } from './strangers.ts';
import { FAULTS_END_MS } from './times.ts';
import type { World } from './world.ts';

/** The engines of a run, each in its index; null while it is down. */
export interface Fleet {
  readonly engines: (SimulatedEngine | null)[];
  start(index: number): void;
}

const MAX_FAULTS = 14;
const MAX_WRITES = 400;

type Fault = (world: World, fleet: Fleet, random: Random) => void;

/** Draws what goes wrong and when. After `FAULTS_END_MS` everything is well again. */
export function scheduleFaults(world: World, fleet: Fleet): void {
  if (world.calm) return;
  const random = world.random.fork();
  const healsAtMs = world.clock.now() + FAULTS_END_MS;
  const strike = (fault: Fault, draws: Random): void => {
    if (world.clock.now() < healsAtMs) fault(world, fleet, draws);
  };
  for (let left = random.int(1, MAX_FAULTS); left > 0; left--) {
    const fault = random.pick(faults);
    const draws = random.fork();
    // Half of them by the clock, half in the middle of the work, wherever that is then.
    const happen = (): void => void world.clock.setTimer(random.int(0, 600), () => strike(fault, draws));
    if (random.chance(0.5)) world.afterWrite.set(random.int(40, MAX_WRITES), happen);
    else world.clock.setTimer(random.int(0, FAULTS_END_MS), happen);
  }
  world.clock.setTimer(FAULTS_END_MS, () => heal(world, fleet));
}

function heal(world: World, fleet: Fleet): void {
  world.note('everything is well from here on');
  Object.assign(world.storeWeather, { away: false, refusing: 0, forgetting: 0 });
  Object.assign(world.logWeather, { repeating: 0, lagging: 0, forgetting: 0, losing: 0 });
  Object.assign(world.outcomes.weather, { away: false, forgetting: 0 });
  world.defects.chance = 0;
  world.broker.setAway(false);
  for (let service = 0; service < SERVICES; service++) world.services.setMood(service, 'well');
  for (const index of fleet.engines.keys()) if (fleet.engines[index] === null) fleet.start(index);
}

const anyEngine = (fleet: Fleet, random: Random): number => random.int(0, fleet.engines.length - 1);

/** Begins something that ends by itself. */
function during(world: World, forMs: number, what: string, begin: () => unknown, end: () => void): void {
  world.note(`${what}, for ${forMs} ms`);
  begin();
  world.clock.setTimer(forMs, end);
}

const crash: Fault = (world, fleet, random) => {
  const index = anyEngine(fleet, random);
  const engine = fleet.engines[index];
  if (!engine) return;
  engine.crash();
  fleet.engines[index] = null;
  world.clock.setTimer(random.int(50, 15_000), () => fleet.start(index));
};

const stop: Fault = (world, fleet, random) => {
  const index = anyEngine(fleet, random);
  const engine = fleet.engines[index];
  if (!engine) return;
  fleet.engines[index] = null;
  world.note(`${engine.process.name} begins to stop`);
  void engine.stop(random.int(100, 5_000)).then(() => fleet.start(index));
};

const freeze: Fault = (world, fleet, random) => {
  const engine = fleet.engines[anyEngine(fleet, random)];
  const forMs = random.int(500, 20_000);
  world.note(`${engine?.process.name} freezes for ${forMs} ms`);
  engine?.process.freeze(forMs);
};

const threadDeath: Fault = (world, fleet, random) => {
  const engine = fleet.engines[anyEngine(fleet, random)];
  if (!engine) return;
  world.note(`a thread of ${engine.process.name} dies`);
  engine.threads.die();
};

const storeAway: Fault = (world, _fleet, random) =>
  during(
    world,
    random.int(100, 12_000),
    'the store is unavailable',
    () => Object.assign(world.storeWeather, { away: true }),
    () => Object.assign(world.storeWeather, { away: false }),
  );

const storeFlickers: Fault = (world, _fleet, random) => {
  const weather = { refusing: random.next() * 0.95, forgetting: random.next() * 0.3 };
  during(
    world,
    random.int(500, 15_000),
    'the store flickers',
    () => Object.assign(world.storeWeather, weather),
    () => Object.assign(world.storeWeather, { refusing: 0, forgetting: 0 }),
  );
};

const logAway: Fault = (world, _fleet, random) =>
  during(
    world,
    random.int(100, 12_000),
    'the log is unavailable',
    () => world.broker.setAway(true),
    () => world.broker.setAway(false),
  );

const clickHouseAway: Fault = (world, _fleet, random) => {
  const weather = random.chance(0.5) ? { away: true, forgetting: 0 } : { away: false, forgetting: 0.5 };
  during(
    world,
    random.int(500, 15_000),
    'ClickHouse is unavailable or forgetful',
    () => Object.assign(world.outcomes.weather, weather),
    () => Object.assign(world.outcomes.weather, { away: false, forgetting: 0 }),
  );
};

const serviceUnwell: Fault = (world, _fleet, random) => {
  const service = random.int(0, SERVICES - 1);
  const mood = random.pick(['away', 'throttling', 'down'] as const);
  during(
    world,
    random.int(500, 15_000),
    `push service ${service} is ${mood}`,
    () => world.services.setMood(service, mood),
    () => world.services.setMood(service, 'well'),
  );
};

const clockJump: Fault = (world, fleet, random) => {
  // A database whose clock is set back may count a window's beginning twice, or find that a zone's time has not come: no
  // promise is made of that.
  const timed = world.tables.caps.all().length + world.tables.campaigns.all().length > 0;
  const ofStore = random.chance(0.5);
  const byMs = random.int(ofStore && timed ? 0 : -60_000, 60_000);
  world.note(`a clock jumps by ${byMs} ms`);
  if (ofStore) world.jumpStore(byMs);
  else fleet.engines[anyEngine(fleet, random)]?.process.jump(byMs);
};

const cancel: Fault = (world, _fleet, random) => {
  const id: DeliveryId | undefined = random.pick(world.tables.deliveries.all())?.id;
  world.note(`cancel of delivery ${id}: ${world.publisher.cancel(id)}`);
};

const audienceMoves: Fault = (world, _fleet, random) => {
  const { publisher, tables, services, moved } = world;
  const subscribe = (appId: AppId, seq: number): void => {
    const key = subscriptionKey(appId, seq);
    if (isStrangers(tables.subscriptions.get(key)?.endpoint ?? '')) return;
    publisher.subscribe(appId, seq, endpointOf(appId, seq, random.int(1, 1_000)));
    moved.add(key);
  };
  for (const { appId, seq, endpoint } of tables.subscriptions.all()) {
    if (isStrangers(endpoint)) continue;
    if (random.chance(0.1)) services.forget(endpoint);
    if (random.chance(0.1)) {
      publisher.unsubscribe(appId, seq);
      moved.add(subscriptionKey(appId, seq));
    }
    if (random.chance(0.1)) subscribe(appId, seq);
  }
  for (let joining = random.int(0, 3); joining > 0; joining--) subscribe(1 as AppId, random.int(0, 4_000));
  world.note('subscribers join, leave and vanish');
};

const strangers: Fault = (world, _fleet, random) => {
  const { appId } = random.pick(world.tables.deliveries.all());
  subscribeStrangers(world, appId, random);
};

const faults: readonly Fault[] = [
  ...[
    crash,
    crash,
    crash,
    stop,
    freeze,
    freeze,
    freeze,
    threadDeath,
    storeAway,
    storeFlickers,
    storeFlickers,
  ],
  ...[logAway, clickHouseAway, serviceUnwell, clockJump, cancel, audienceMoves],
  ...[strangers, strangers],
];
