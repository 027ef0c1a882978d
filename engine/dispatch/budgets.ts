import type { Clock } from '../contract/clock.ts';
import type { AppId } from '../contract/ids.ts';
import { outcomeCode } from '../contract/outcome.ts';
import { type PushService, pushServices } from '../contract/push-service.ts';
import type { Answers, Budget } from '../contract/standing.ts';
import type { BlockSent } from '../worker/protocol.ts';
import type { BudgetStore } from './ports.ts';

/** By push service that limits the app, how many of its targets may be sent to now. */
export type Grants = Readonly<Partial<Record<PushService, number>>>;

/** The budgets of an app as this engine knows them: mostly none. */
export interface Budgets {
  of(appId: AppId): Promise<readonly Budget[]>;
}

/** An app that became limited is sent for without a budget for as long, and its push service answers 429. */
const KNOWN_FOR_MS = 2_000;

/** One read for all apps every two seconds, while something is sent. */
export function createBudgets(store: BudgetStore, clock: Clock): Budgets {
  let known: Promise<readonly Budget[]> = Promise.resolve([]);
  let until = Number.NEGATIVE_INFINITY;

  function read(): Promise<readonly Budget[]> {
    if (clock.now() < until) return known;
    until = clock.now() + KNOWN_FOR_MS;
    known = store.readBudgets();
    known.catch(() => {
      until = Number.NEGATIVE_INFINITY;
    });
    return known;
  }

  return { of: async (appId) => (await read()).filter((budget) => budget.appId === appId) };
}

export const nothingGranted = (budgets: readonly Budget[]): Grants =>
  Object.fromEntries(budgets.map(({ service }) => [service, 0]));

export const countGrants = (grants: Grants): number =>
  Object.values(grants).reduce((sum, count) => sum + count, 0);

export function addGrants(grants: Grants, more: Grants): Grants {
  const sums: Partial<Record<PushService, number>> = { ...grants };
  for (const [service, count] of Object.entries(more) as [PushService, number][])
    sums[service] = (sums[service] ?? 0) + count;
  return sums;
}

/**
 * Notes what push services answered that throttle the app or are known to limit it; of all others nothing is written.
 * A note that is lost with Postgres costs a later judgement.
 */
export const createNoteAnswers =
  (store: BudgetStore, budgets: Budgets) =>
  async (appId: AppId, sent: BlockSent): Promise<void> => {
    const limited = (await budgets.of(appId)).map(({ service }) => service);
    for (const [service, answers] of answersIn(sent)) {
      if (answers.throttled === 0 && !limited.includes(service)) continue;
      await store.noteAnswers({ appId, service }, answers).catch(() => {});
    }
  };

function answersIn({ outcomes, services }: BlockSent): ReadonlyMap<PushService, Answers> {
  const answers = new Map<PushService, Answers>();
  for (let index = 0; index < outcomes.length; index++) {
    const accepted = outcomes[index] === outcomeCode.accepted ? 1 : 0;
    const throttled = outcomes[index] === outcomeCode.throttled ? 1 : 0;
    if (accepted + throttled === 0) continue;
    const service = pushServices[services[index] as number] ?? 'other';
    const before = answers.get(service) ?? { accepted: 0, throttled: 0 };
    answers.set(service, {
      accepted: before.accepted + accepted,
      throttled: before.throttled + throttled,
    });
  }
  return answers;
}
