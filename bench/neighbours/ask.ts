import { Agent, request } from 'undici';

/** One request, as it is sent again and again. */
export interface Ask {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Made again for each. */
  readonly body?: () => unknown;
}

/** Status (or `unanswered`) → how many, and the times of 2xx answers. */
export interface Asked {
  readonly times: number[];
  readonly statuses: Record<string, number>;
}

export const newAsked = (): Asked => ({ times: [], statuses: {} });

/** As many connections as requests under way: none waits for another on the bench's side. */
const agent = new Agent({ connections: 256, pipelining: 1, headersTimeout: 60_000 });

/** @param dueAt when it was due, so that a stall counts for all that waited through it. */
export async function askOnce(ask: Ask, asked: Asked, dueAt = performance.now()): Promise<void> {
  const status = await send(ask);
  asked.statuses[status] = (asked.statuses[status] ?? 0) + 1;
  if (status.startsWith('2')) asked.times.push(performance.now() - dueAt);
}

async function send({ method, url, headers, body }: Ask): Promise<string> {
  try {
    const answer = await request(url, {
      method,
      dispatcher: agent,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body()) }),
    });
    await answer.body.dump();
    return String(answer.statusCode);
  } catch {
    return 'unanswered';
  }
}

/**
 * One after the other through all of them, evenly over the time: the rate is the same however long the answers
 * take.
 */
export async function askEvenly(
  asks: readonly Ask[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Map<string, Asked>> {
  const found = new Map(asks.map(({ name }) => [name, newAsked()]));
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    const dueAt = startedAt + (n / perSecond) * 1_000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    const ask = asks[n % asks.length];
    const asked = ask && found.get(ask.name);
    if (asked) underWay.push(askOnce(ask, asked, dueAt));
  }
  await Promise.all(underWay);
  return found;
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN) * 10) / 10;
}
