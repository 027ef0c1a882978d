import { createECDH, randomBytes } from 'node:crypto';
import { Pool } from 'undici';

/**
 * New browsers that subscribe, from a process of its own: its CPU is not the API's. Forked by `subscribe.ts`;
 * the plan comes as one JSON argument, the result goes back as one message.
 */
export interface LoadPlan {
  readonly origins: readonly string[];
  readonly app: string;
  readonly siteDomain: string;
  /** Subscribes a second over all origins; 0: as many as the connections take. */
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Keep-alive connections to each origin; as many requests are under way at most. */
  readonly connections: number;
}

export interface LoadResult {
  readonly answered: number;
  readonly seconds: number;
  /** Status (or `unanswered`) → how many, except for 200. */
  readonly errors: Readonly<Record<string, number>>;
  /** From the time a request was due, so that a stall counts for all that waited through it. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export const loadFile: string = import.meta.filename;

const KEY_PAIRS = 64;
const TICK_MS = 5;
const userAgents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
];

/** Every call is another browser: an endpoint and a user of its own. Keys repeat, as making them costs CPU. */
function createBrowsers(app: string): () => string {
  const keys = Array.from({ length: KEY_PAIRS }, () => ({
    p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }));
  let made = 0;
  return () => {
    const id = randomBytes(24).toString('base64url');
    const subscription = {
      endpoint: `https://fcm.googleapis.com/fcm/send/${id}:${id}${id}`,
      expirationTime: null,
      keys: keys[made++ % KEY_PAIRS],
    };
    return JSON.stringify({ appId: app, userId: id.slice(0, 20), subscription });
  };
}

export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const nextBrowser = createBrowsers(plan.app);
  const pools = plan.origins.map(
    (origin) => new Pool(origin, { connections: plan.connections, pipelining: 1 }),
  );
  const latencies: number[] = [];
  const errors: Record<string, number> = {};
  let sent = 0;
  let underWay = 0;
  const limit = plan.connections * pools.length;
  const startedAt = performance.now();
  const endsAt = startedAt + plan.seconds * 1_000;

  async function send(dueAt: number): Promise<void> {
    underWay++;
    const answer = await subscribe(pools[sent % pools.length] as Pool, plan, nextBrowser(), sent++);
    underWay--;
    if (answer === '200') latencies.push(performance.now() - dueAt);
    else errors[answer] = (errors[answer] ?? 0) + 1;
    if (plan.ratePerSecond === 0 && performance.now() < endsAt) void send(performance.now());
  }

  const dueBy = (now: number): number => ((now - startedAt) / 1_000) * plan.ratePerSecond;
  if (plan.ratePerSecond === 0) for (let n = 0; n < limit; n++) void send(startedAt);
  while (performance.now() < endsAt) {
    const due = dueBy(performance.now());
    while (sent < due && underWay < limit) void send(startedAt + (sent / plan.ratePerSecond) * 1_000);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  while (underWay > 0) await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  const seconds = (performance.now() - startedAt) / 1_000;
  await Promise.all(pools.map((pool) => pool.close()));
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return { answered: latencies.length, seconds, errors, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function subscribe(pool: Pool, plan: LoadPlan, body: string, index: number): Promise<string> {
  try {
    const { statusCode, body: answer } = await pool.request({
      path: '/api/v1/public/subscribe',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        origin: plan.siteDomain,
        'x-app-id': plan.app,
        'user-agent': userAgents[index % userAgents.length] ?? '',
      },
      body,
    });
    await answer.dump();
    return String(statusCode);
  } catch {
    return 'unanswered';
  }
}

if (import.meta.main) {
  const result = await runLoad(JSON.parse(process.argv[2] ?? '{}') as LoadPlan);
  process.send?.(result);
  process.disconnect?.();
}
