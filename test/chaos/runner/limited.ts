import { createPublisher } from './publisher.ts';
import { importReaders } from './readers.ts';
import { openWorld, type World } from './world.ts';

export interface LimitedResult {
  /** Sentences; none: every promise was kept. */
  readonly broken: readonly string[];
  /** Of each whole minute from the second one on in which the limit was known: requests by budget. */
  readonly minutes: readonly LimitedMinute[];
  readonly seconds: number;
  /** Messages that the push service refused with 429 once the limit was known, of all sent to it then. */
  readonly refusedShare: number;
}

export interface LimitedMinute {
  readonly requests: number;
  readonly budget: number;
}

interface Sample {
  readonly atMs: number;
  /** All requests that the push service has answered. */
  readonly requests: number;
  readonly refused: number;
  /** What the engines believe may be sent in a minute; null: they know of no limit. */
  readonly budget: number | null;
}

/** As Chrome limits a site. */
const ALLOWED = 1_000;
/** A quarter of them is at the push service that limits the app. */
const READERS = 32_000;
const AT_FCM = READERS / 4;
const READY_TIMEOUT_MS = 150_000;
const MAX_WAIT_MS = 25 * 60_000;
const SAMPLE_MS = 250;
const MINUTE_MS = 60_000;
/** All engines have heard of the limit by then, and no wave of before is under way. */
const KNOWN_AFTER_MS = MINUTE_MS;
/** The third engine dies this long after the limit is known. */
const KILL_AFTER_MS = 30_000;
const MOST_OVER = 0.02;

/**
 * Three engines as processes send to readers of whom a push service takes 1,000 messages a minute; one of them is
 * killed on the way. About ten minutes.
 */
export async function runLimited(onStep: (text: string) => void): Promise<LimitedResult> {
  const startedAt = performance.now();
  const world = await openWorld({ log: 'pgboss', preload: null });
  try {
    const samples = await play(world, onStep);
    const seconds = (performance.now() - startedAt) / 1_000;
    return { ...(await audit(world, samples)), seconds };
  } finally {
    await world.close();
  }
}

async function play(world: World, onStep: (text: string) => void): Promise<Sample[]> {
  const { crew, database, pushService } = world;
  const publisher = await createPublisher(world, { cap: null });
  await importReaders(database, pushService, publisher.app.id, { from: 0, count: READERS });
  await pushService.setFaults([{ action: { kind: 'throttle' }, service: 'fcm', beyondPerMinute: ALLOWED }]);
  for (const keeper of crew.all) keeper.start();
  const ready = await Promise.all(crew.all.map((keeper) => keeper.ready(READY_TIMEOUT_MS)));
  if (ready.includes(false)) throw new Error('Broadside did not become ready');
  const id = await publisher.post('bulk');
  onStep(
    `delivery ${id} to ${READERS} readers, ${AT_FCM} of them at a push service that takes ${ALLOWED} a minute`,
  );

  const samples: Sample[] = [];
  const postedAt = performance.now();
  const at = (): string => ((performance.now() - postedAt) / 1_000).toFixed(0).padStart(4);
  const endsAt = performance.now() + MAX_WAIT_MS;
  let knownAt = Number.POSITIVE_INFINITY;
  let isKilled = false;
  while (!(await hasEnded(world)) && performance.now() < endsAt) {
    const sample = await take(world);
    if (sample.budget !== (samples.at(-1)?.budget ?? null))
      onStep(`${at()} s  the budget is ${sample.budget} a minute, after ${sample.requests} requests`);
    samples.push(sample);
    if (sample.budget !== null) knownAt = Math.min(knownAt, performance.now());
    if (!isKilled && performance.now() > knownAt + KILL_AFTER_MS) {
      isKilled = true;
      onStep(`${at()} s  an engine is killed`);
      await crew.guest.kill();
    }
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
  return samples;
}

async function hasEnded({ database }: World): Promise<boolean> {
  const open = await database.query(
    `SELECT FROM deliveries WHERE status IN ('pending', 'queued', 'processing')`,
  );
  return open.length === 0;
}

async function take({ database, pushService }: World): Promise<Sample> {
  const [standing] = await database.query<{ allowed: number }>(
    `SELECT allowed_per_minute AS allowed FROM push_service_standings WHERE service = 'fcm' AND ended_at IS NULL`,
  );
  const { statuses } = await pushService.ledger();
  const answers = Object.entries(statuses.fcm ?? {});
  const refused = answers.reduce((sum, [status, count]) => sum + (status === '429' ? count : 0), 0);
  const requests = answers.reduce((sum, [, count]) => sum + count, 0);
  return { atMs: performance.now(), requests, refused, budget: standing?.allowed ?? null };
}

async function audit(world: World, samples: readonly Sample[]): Promise<Omit<LimitedResult, 'seconds'>> {
  const broken: string[] = [];
  const expect = (holds: boolean, sentence: string): void => {
    if (!holds) broken.push(sentence);
  };
  const [delivery] = await world.database.query<Record<'status' | 'success_count' | 'failed_count', unknown>>(
    'SELECT status, success_count, failed_count FROM deliveries',
  );
  expect(delivery?.status === 'success', `the delivery is ${JSON.stringify(delivery)}`);
  expect(delivery?.success_count === READERS, `${delivery?.success_count} of ${READERS} readers are served`);
  const { distinct } = await world.pushService.ledger();
  expect(distinct === READERS, `the push services took ${distinct} different messages`);

  const known = samples.find(({ budget }) => budget !== null);
  const later = samples.filter(({ atMs }) => known !== undefined && atMs >= known.atMs + KNOWN_AFTER_MS);
  const minutes = minutesOf(later);
  expect(minutes.length > 2, 'the limit was not known for three minutes');
  for (const { requests, budget } of minutes.filter((minute) => isOver(minute)))
    broken.push(`${requests} requests in a minute, with a budget of ${budget}`);
  const [first, last] = [later[0], later.at(-1)];
  const sent = (last?.requests ?? 0) - (first?.requests ?? 0);
  const refused = (last?.refused ?? 0) - (first?.refused ?? 0);
  return { broken, minutes, refusedShare: refused / Math.max(1, sent) };
}

const isOver = ({ requests, budget }: LimitedMinute): boolean => requests > budget * (1 + MOST_OVER);

/** One after another; the budget is the highest that held in the minute. */
function minutesOf(samples: readonly Sample[]): LimitedMinute[] {
  const [first] = samples;
  if (first === undefined) return [];
  const byMinute = [
    ...Map.groupBy(samples, ({ atMs }) => Math.floor((atMs - first.atMs) / MINUTE_MS)).values(),
  ];
  return byMinute.slice(0, -1).map((minute, n) => {
    const [from, to] = [minute[0], byMinute[n + 1]?.[0]];
    return {
      requests: (to?.requests ?? 0) - (from?.requests ?? 0),
      budget: Math.max(...minute.map(({ budget }) => budget ?? Number.POSITIVE_INFINITY)),
    };
  });
}
