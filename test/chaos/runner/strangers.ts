import { issueToken } from '../../../api/account/own/tokens/issue.ts';
import { formatToken } from '../../../engine/kit/http/token.ts';
import { buildApp } from '../../support/builders.ts';
import { forgeriesAgainst, greedyLists, type Known, type Subscription } from './forgeries.ts';
import type { Publisher } from './publisher.ts';
import { madeUpOrigins, poisoned } from './push-hosts.ts';
import type { World } from './world.ts';

/** Strangers without an account, and an organization with no business here. They use the API like everyone. */
export interface Strangers {
  /** Subscribe endpoints that are not usable, so that readers come before and after them. */
  arrive(): Promise<void>;
  /** Begins to forge and to ask for too much, until `rest`. */
  trouble(): void;
  rest(): Promise<void>;
  /** Answers that they should not have got. */
  readonly problems: readonly string[];
  /** This many of their requests had an answer; others met an outage. */
  answered(): number;
}

const POISONED = 300;
const OF_A_NAME = 20;
const AT_ONCE = 8;
const READERS_FORGED = 16;
const INSIST_MS = 60_000;
const ANSWER_TIMEOUT_MS = 10_000;
const PAUSE_MS = 100;
const MOST_PROBLEMS = 10;
const RIVALS_SUBSCRIBERS = 2_000;

export async function createStrangers(
  world: World,
  publisher: Publisher,
  readers: number,
): Promise<Strangers> {
  const { app } = publisher;
  const { pushService, crew } = world;
  const rival = await createRival(world);
  const send = createSend(crew.publicUrl, app.identifier);
  const problems: string[] = [];
  const nextPoisoned = poisonedOf(world);
  let answered = 0;
  let troubling: { over: boolean; readonly done: Promise<unknown> } | null = null;

  /** Repeats the request while the API is unavailable. */
  async function expect(
    what: string,
    isOver: () => boolean,
    answer: number,
    request: () => Answer,
  ): Promise<void> {
    const endsAt = performance.now() + INSIST_MS;
    for (;;) {
      const status = await request();
      if (status !== null) {
        answered++;
        if (status !== answer && problems.length < MOST_PROBLEMS)
          problems.push(`strangers: ${what} was answered ${status}, not ${answer}`);
        return;
      }
      if (isOver() || performance.now() > endsAt) return;
      await sleep(PAUSE_MS);
    }
  }

  async function forgeAgainst(reader: number, isOver: () => boolean): Promise<void> {
    const known: Known = {
      ...{ identifier: app.identifier, readers, categoryId: publisher.categoryId, poisoned: nextPoisoned },
      deliveries: publisher.accepted.map(({ identifier }) => identifier),
      endpointOf: (one) => pushService.subscriber(one).endpoint,
    };
    await inTurns(forgeriesAgainst(reader, known), AT_ONCE, async ({ path, body, answer }) => {
      await expect(path, isOver, answer, () => send(path, body));
    });
  }

  async function forge(isOver: () => boolean): Promise<void> {
    // Beacons need a delivery to be about.
    const endsAt = performance.now() + INSIST_MS;
    while (publisher.accepted.length === 0 && performance.now() < endsAt) await sleep(PAUSE_MS);
    // The first ones to their end, so that each kind is answered however long the API is unavailable.
    for (let n = 0; n < READERS_FORGED; n++) {
      if (n > 0 && isOver()) return;
      await forgeAgainst(Math.floor((readers * n) / READERS_FORGED), n === 0 ? never : isOver);
    }
  }

  async function askForTooMuch(isOver: () => boolean): Promise<void> {
    for (let n = 0; n === 0 || !isOver(); n++) {
      for (const { path, answer } of greedyLists(rival.identifier, app.identifier)) {
        await expect(path, n === 0 ? never : isOver, answer, async () => {
          const status = await ask(`${crew.apiUrl}${path}`, { headers: rival.headers });
          // Beyond its share it gets a 429.
          return status === 429 ? null : status;
        });
      }
      await sleep(PAUSE_MS);
    }
  }

  return {
    problems,
    answered: () => answered,
    arrive: () => subscribeAll(send, badSubscriptions(nextPoisoned)),
    trouble() {
      const isOver = (): boolean => current.over;
      const current = { over: false, done: Promise.resolve<unknown>(null) };
      current.done = Promise.all([forge(isOver), askForTooMuch(isOver)]);
      troubling = current;
    },
    async rest() {
      if (troubling === null) return;
      troubling.over = true;
      await troubling.done;
    },
  };
}

/** Null: away, as other faults want it. */
type Answer = Promise<number | null>;
type Send = (path: string, body: object) => Answer;

const never = (): boolean => false;

const badSubscriptions = (nextPoisoned: () => Subscription): Subscription[] => [
  ...Array.from({ length: POISONED }, nextPoisoned),
  ...madeUpOrigins.flatMap((origin) =>
    Array.from({ length: OF_A_NAME }, (_, n) => ({ ...nextPoisoned(), endpoint: `${origin}/w/?token=${n}` })),
  ),
];

/** @throws Error where the API does not take one of them for a minute. */
export async function subscribeAll(send: Send, subscriptions: readonly Subscription[]): Promise<void> {
  await inTurns(subscriptions, AT_ONCE, async (subscription) => {
    const endsAt = performance.now() + INSIST_MS;
    while ((await send('subscribe', { subscription })) !== 200) {
      if (performance.now() > endsAt) throw new Error('the API took no stranger');
      await sleep(PAUSE_MS);
    }
  });
}

/** Each has an address of their own, so that no limit by address protects anyone here. */
export function createSend(publicUrl: string, identifier: string): Send {
  let sent = 0;
  return (path, body) => {
    sent++;
    const address = `198.51.${(sent >> 8) & 255}.${sent & 255}`;
    const headers = {
      'content-type': 'application/json',
      'x-app-id': identifier,
      'x-forwarded-for': address,
      origin: 'https://news.example',
    };
    return ask(`${publicUrl}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
}

async function ask(url: string, request: RequestInit): Promise<number | null> {
  try {
    const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    await answer.body?.cancel();
    return answer.status === 503 ? null : answer.status;
  } catch {
    return null;
  }
}

/** In turn one that is answered 403 and one that is answered 400. */
export function poisonedOf({ pushService }: Pick<World, 'pushService'>): () => Subscription {
  let made = 0;
  return () => {
    const number = made++;
    const { from } = poisoned[number % poisoned.length] ?? poisoned[0];
    const { endpoint, p256dh, auth } = pushService.subscriber(from + number);
    return { endpoint, keys: { p256dh, auth } };
  };
}

/** Another organization, with an app and a token of its own. */
async function createRival({ database }: World) {
  const issued = await issueToken(database, {
    email: 'editor@rival.example',
    organization: 'Other Newsroom',
    name: 'chaos',
    abilities: ['subscriptions:read', 'deliveries:read'],
    role: 'admin',
  });
  if (issued.kind !== 'issued') throw new Error(issued.reason);
  const { organizationId, token } = issued;
  const { identifier } = await buildApp(database, { organizationId, subscribers: RIVALS_SUBSCRIBERS });
  return { identifier, headers: { authorization: `Bearer ${formatToken(token)}` } };
}

async function inTurns<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
