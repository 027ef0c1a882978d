import { type Books, isQuiet, type Posted, readBooks } from './books.ts';
import { postCampaign } from './campaigns.ts';
import { postCorrected } from './corrections.ts';
import type { Fault, Target } from './fault.ts';
import { isAlive } from './is-alive.ts';
import { readLeftovers } from './leftovers.ts';
import { brokenByStrangers, brokenPromises } from './promises.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { asUsual } from './push-faults.ts';
import { importReaders, readReaders } from './readers.ts';
import { faultKinds, hasStrangers, type Schedule, targetsOf } from './schedule.ts';
import { createStrangers, type Strangers } from './strangers.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';
import { openWorld, type World } from './world.ts';

export interface RunResult {
  readonly schedule: Schedule;
  /** Sentences; none: every promise was kept. */
  readonly broken: readonly string[];
  readonly books: Books;
  /** From the end of the last fault, and the last post, until all was quiet. */
  readonly recoveryMs: number;
  readonly seconds: number;
  /** The last output of the processes, where a promise was broken. */
  readonly output: string;
}

export interface RunOptions {
  /** The time without any progress, after the last fault, that counts as stuck. */
  readonly patienceMs?: number;
  /** A module that breaks the build on purpose. */
  readonly preload?: string | null;
  readonly onStep?: (text: string) => void;
}

/** Nothing is promised of the time in which processes start: they start on a machine that does other things too. */
const READY_TIMEOUT_MS = 150_000;
/** Above the time in which a dead consumer's claims run out, below the one after which a lost message is sent again. */
const PATIENCE_MS = 75_000;
const MAX_WAIT_MS = 300_000;
const POLL_MS = 250;
/** After all is quiet: a process that would send something twice has the time to. */
const STAY_QUIET_MS = 1_500;

/** Runs one schedule over real parts, and holds the promises against what the three books say. */
export async function runOnce(schedule: Schedule, options: RunOptions = {}): Promise<RunResult> {
  const { onStep = () => {}, preload = null, patienceMs = PATIENCE_MS } = options;
  const startedAt = performance.now();
  const world = await openWorld({ log: schedule.log, preload });
  let result: RunResult;
  try {
    const ran = await run(world, schedule, patienceMs, onStep);
    const seconds = (performance.now() - startedAt) / 1_000;
    result = { schedule, seconds, ...ran };
  } finally {
    await world.close();
  }
  const left = world.crew.all.flatMap(({ pids }) => pids).filter(isAlive);
  const broken = left.length === 0 ? result.broken : [...result.broken, `processes are left: ${left.join()}`];
  return { ...result, broken };
}

async function run(
  world: World,
  schedule: Schedule,
  patienceMs: number,
  onStep: (text: string) => void,
): Promise<Omit<RunResult, 'schedule' | 'seconds'>> {
  await asUsual(world);
  const publisher = await createPublisher(world, schedule);
  const webhooks = await startWebhookReceiver(world, publisher);
  try {
    return await play(world, { schedule, publisher, webhooks, patienceMs, onStep });
  } finally {
    webhooks.close();
  }
}

interface Playing {
  readonly schedule: Schedule;
  readonly publisher: Publisher;
  readonly webhooks: WebhookReceiver;
  readonly patienceMs: number;
  onStep(text: string): void;
}

async function play(
  world: World,
  { schedule, publisher, webhooks, patienceMs, onStep }: Playing,
): Promise<Omit<RunResult, 'schedule' | 'seconds'>> {
  const { crew } = world;
  const { app } = publisher;
  const withStrangers = hasStrangers(schedule);
  // Half of the readers come after the strangers, into the same blocks.
  const first = withStrangers ? schedule.subscribers >> 1 : schedule.subscribers;
  await importReaders(world.database, world.pushService, app.id, { from: 0, count: first });
  const crewNow = [crew.api, ...crew.engines];
  for (const keeper of crewNow) keeper.start();
  const ready = await Promise.all(crewNow.map((keeper) => keeper.ready(READY_TIMEOUT_MS)));
  if (ready.includes(false)) throw new Error(`Broadside did not become ready:\n${outputOf(world)}`);

  const strangers = withStrangers ? await createStrangers(world, publisher, schedule.subscribers) : null;
  await strangers?.arrive();
  const left = { from: first, count: schedule.subscribers - first };
  await importReaders(world.database, world.pushService, app.id, left);
  const readersBefore = await readReaders(world, publisher, schedule.subscribers);

  const beganAt = performance.now();
  const posted = postAll(publisher, schedule);
  await inflictAll(world, schedule, strangers, onStep);
  const healedAt = performance.now();
  const sent = await posted;
  // A local time, a firing and an item may come after the last fault.
  const allPostedAt = performance.now();
  onStep(
    `all faults are over after ${Math.round((healedAt - beganAt) / 1_000)} s: waiting until it is quiet`,
  );
  const read = (): Promise<Books> => readBooks(world, app.id, sent, webhooks);
  if (strangers !== null)
    onStep(`strangers forged and asked for too much, and were answered ${strangers.answered()} times`);
  const books = await untilQuiet(read, patienceMs);
  const recoveryMs = performance.now() - Math.max(healedAt, allPostedAt);
  await sleep(STAY_QUIET_MS);
  const after = await read();
  const readersAfter = await readReaders(world, publisher, schedule.subscribers);
  const news = after.ledger.received - books.ledger.received;
  const leftovers = isQuiet(after) ? '' : await readLeftovers(world.database);
  const broken = [
    ...brokenPromises(schedule, after),
    ...brokenByStrangers(schedule, after, readersBefore, readersAfter),
    ...(strangers?.problems ?? []),
    ...(news === 0 || !isQuiet(books) ? [] : [`${news} messages were sent after all was quiet`]),
    ...(await stopInOrder(world)),
    ...crew.all.flatMap(({ problems }) => problems),
  ];
  const output = broken.length === 0 ? '' : `${outputOf(world)}\n${leftovers}`;
  return { broken, books: after, recoveryMs, output };
}

/** Each send with its deliveries, and beside them the one that is corrected. */
async function postAll(
  publisher: Publisher,
  { deliveries, campaigns, correction }: Schedule,
): Promise<Posted> {
  const sends = Promise.all([
    ...deliveries.map(async ({ atMs, lane }) => {
      await sleep(atMs);
      return [[await publisher.post(lane)]];
    }),
    ...campaigns.map(async ({ atMs, kind }) => {
      await sleep(atMs);
      return postCampaign(publisher, kind);
    }),
  ]);
  const corrected =
    correction === null
      ? null
      : sleep(correction.atMs).then(() => postCorrected(publisher, correction.afterMs));
  const [sent, both] = await Promise.all([sends, corrected]);
  return { sends: sent.flat(), corrected: both };
}

/** On a busy machine a server takes longer to come back than the schedule thought: what is next for it waits. */
async function inflictAll(
  world: World,
  { faults }: Schedule,
  strangers: Strangers | null,
  onStep: (text: string) => void,
): Promise<void> {
  const latest = new Map<Target, Promise<void>>();
  const all = faults.map((fault) => {
    const targets = targetsOf(fault);
    const before = Promise.all(targets.map((target) => latest.get(target)));
    const over = inflict(world, fault, strangers, before, onStep);
    for (const target of targets) latest.set(target, over);
    return over;
  });
  await Promise.all(all);
}

async function inflict(
  world: World,
  fault: Fault,
  strangers: Strangers | null,
  before: Promise<unknown>,
  onStep: (text: string) => void,
): Promise<void> {
  const kind = faultKinds[fault.kind];
  if (kind === undefined) throw new Error(`no such fault: ${fault.kind}`);
  await Promise.all([sleep(fault.atMs), before]);
  onStep(`${fault.kind}, for ${fault.forMs} ms`);
  await kind.begin(world, fault, strangers);
  await sleep(fault.forMs);
  await kind.end(world, fault, strangers);
}

async function untilQuiet(read: () => Promise<Books>, patienceMs: number): Promise<Books> {
  const endsAt = performance.now() + MAX_WAIT_MS;
  let last = { progress: '', atMs: performance.now() };
  for (;;) {
    const books = await read();
    const nowMs = performance.now();
    const progress = JSON.stringify(books);
    if (progress !== last.progress) last = { progress, atMs: nowMs };
    if (isQuiet(books) || nowMs > Math.min(endsAt, last.atMs + patienceMs)) return books;
    await sleep(POLL_MS);
  }
}

/** Everything is well again by now: every process is ready, and ends in order and at once. */
async function stopInOrder({ crew }: World): Promise<string[]> {
  const keepers = [crew.api, ...crew.engines];
  // One that a fault ended may still be starting, and before it listens for SIGTERM that ends it out of order.
  const ready = await Promise.all(keepers.map((keeper) => keeper.ready(READY_TIMEOUT_MS)));
  const codes = await Promise.all(keepers.map((keeper) => keeper.stop()));
  return keepers.flatMap(({ name }, n) => [
    ...(ready[n] ? [] : [`${name} did not become ready after the faults`]),
    ...(codes[n] === 0 ? [] : [`${name} ended with ${codes[n]} after SIGTERM`]),
  ]);
}

const outputOf = ({ crew }: World): string =>
  crew.all.map(({ name, output }) => `--- ${name}\n${output()}`).join('\n');

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
