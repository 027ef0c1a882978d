import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stand, startStand } from '../../../bench/stand/stand.ts';
import { startPushService } from '../../support/push-service/start.ts';
import { poisoned } from './push-hosts.ts';
import { figuresPreload, type Holdings, readHoldings } from './soak-figures.ts';
import { createSend, poisonedOf, subscribeAll } from './strangers.ts';

export interface SoakOptions {
  readonly deliveries: number;
  readonly subscribers: number;
  readonly onStep?: (text: string) => void;
}

export interface SoakResult {
  /** After the tenth delivery: by then every pool is filled and every cache warm. */
  readonly before: Holdings;
  readonly after: Holdings;
  /** Messages. More than were asked for: a busy machine kept an engine from renewing a lease. */
  readonly accepted: number;
  /** Sentences; none: it holds what it held. */
  readonly grown: readonly string[];
}

const WARM_AFTER = 10;
/** Each time this number of strangers subscribe endpoints that reject, and that retire after three deliveries. */
const STRANGERS = 16;
const STRANGERS_EVERY = 5;
/** How much more it may hold in the end: what a collector leaves, and a pool that was one connection short. */
const SLACK = { heapMb: 12, handles: 6, timers: 6, sockets: 4, threads: 0 } as const;
/** The embedded ClickHouse merges in this process, in memory that no collector of ours reaches. */
const RSS_SLACK = { factor: 1.25, mb: 96 } as const;
const QUIET_TIMEOUT_MS = 120_000;
const DELIVERY_TIMEOUT_MS = 120_000;
const POLL_MS = 50;
const WORKER_THREADS = 1;
/** Connections that a pool keeps for a while after the last use are given back. */
const IDLE_MS = 12_000;
/** What a busy machine has not closed by then is closed later; a leak is never. */
const SETTLED_WITHIN_MS = 180_000;

/** Deliveries in a loop in one process of all roles, on the embedded defaults, to readers among whom strangers come and go. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { deliveries, subscribers, onStep = () => {} } = options;
  if (deliveries <= WARM_AFTER) throw new Error(`it is warm after ${WARM_AFTER} deliveries: more are needed`);
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'broadside-soak-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const figuresFile = join(folder, 'figures.json');
  const pushService = await startPushService({ verify: 64, keyPairs: 64, poisoned: [...poisoned] });
  opened.defer(() => pushService.stop());
  const stand = await startStand({
    subscribers,
    pushService,
    verify: 64,
    kafkaBrokers: null,
    env: {
      WORKER_THREADS: String(WORKER_THREADS),
      TRUSTED_PROXIES: '127.0.0.1',
      SOAK_FIGURES_FILE: figuresFile,
      NODE_OPTIONS: `--import=${figuresPreload}`,
    },
    onStep: () => {},
  });
  opened.defer(() => stand.close());
  try {
    const measure = async (ids: readonly number[]): Promise<Holdings> => {
      await untilRecorded(stand, ids, subscribers);
      for (;;) {
        await sleep(IDLE_MS);
        const holdings = await readHoldings(stand.broadside.pid, figuresFile, stand.dataFolder);
        // Fewer: a thread had no time to say what it holds.
        if (holdings.threads >= WORKER_THREADS) return holdings;
      }
    };
    const publicUrl = `http://127.0.0.1:${stand.env.API_PORT}/api/v1/public`;
    const send = createSend(publicUrl, stand.appIdentifier);
    const nextPoisoned = poisonedOf({ pushService });
    const ids: number[] = [];
    let before: Holdings | null = null;
    for (let number = 1; number <= deliveries; number++) {
      if (number % STRANGERS_EVERY === 1)
        await subscribeAll(send, Array.from({ length: STRANGERS }, nextPoisoned));
      ids.push(await deliver(stand, subscribers));
      if (number === WARM_AFTER) before = await measure(ids);
      if (number % 20 === 0) onStep(`${number} deliveries`);
    }
    if (before === null) throw new Error('nothing was measured');
    const end = await untilNotGrown(before, () => measure(ids));
    const { accepted } = await stand.pushService.ledger();
    return { before, accepted, ...end };
  } catch (error) {
    throw new Error(`the soak ended early; Broadside said:\n${stand.broadside.output()}`, { cause: error });
  }
}

async function untilNotGrown(
  before: Holdings,
  measure: () => Promise<Holdings>,
): Promise<Pick<SoakResult, 'after' | 'grown'>> {
  const endsAt = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const after = await measure();
    const grown = compare(before, after);
    if (grown.length === 0 || performance.now() > endsAt) return { after, grown };
  }
}

function compare(before: Holdings, after: Holdings): string[] {
  const names = Object.keys(SLACK) as (keyof typeof SLACK)[];
  const grown = names.filter((name) => after[name] > before[name] + SLACK[name]);
  const sentences = grown.map(
    (name) => `${name} grew from ${before[name].toFixed(1)} to ${after[name].toFixed(1)}`,
  );
  if (grown.includes('handles')) sentences.push(JSON.stringify([before.handlesByKind, after.handlesByKind]));
  const rssLimit = before.rssMb * RSS_SLACK.factor + RSS_SLACK.mb;
  if (after.rssMb <= rssLimit) return sentences;
  return [...sentences, `rssMb grew from ${before.rssMb.toFixed(0)} to ${after.rssMb.toFixed(0)}`];
}

async function deliver({ client, appIdentifier, internalUrl }: Stand, subscribers: number): Promise<number> {
  const { data } = await client.post<{ data: { id: number } }>(`/apps/${appIdentifier}/deliveries`, {
    name: 'Soak',
    title: 'Storm warning for the coast',
    body: 'Ferries stop at noon.',
    url: 'https://news.example/storm',
  });
  const status = await until(DELIVERY_TIMEOUT_MS, async () => {
    const delivery = (await (await fetch(`${internalUrl}/deliveries/${data.id}`)).json()) as {
      status: string;
      success_count: number;
    };
    return ['success', 'partial'].includes(delivery.status) && delivery.success_count === subscribers;
  });
  if (!status) throw new Error(`delivery ${data.id} did not end with ${subscribers} served`);
  return data.id;
}

async function untilRecorded(
  { internalUrl }: Stand,
  ids: readonly number[],
  subscribers: number,
): Promise<void> {
  for (const id of ids) {
    const recorded = await until(QUIET_TIMEOUT_MS, async () => {
      const answer = await fetch(`${internalUrl}/deliveries/${id}/recorded`);
      return ((await answer.json()) as { accepted: number }).accepted === subscribers;
    });
    if (!recorded) throw new Error(`ClickHouse does not have all of delivery ${id}`);
  }
}

async function until(timeoutMs: number, holds: () => Promise<boolean>): Promise<boolean> {
  const endsAt = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > endsAt) return false;
    await sleep(POLL_MS);
  }
  return true;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
