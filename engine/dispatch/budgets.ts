import type { Clock } from '../contract/concurrency/clock.ts';
import type { AppId } from '../contract/ids.ts';
import { type PushService, pushServices } from '../contract/push-service.ts';
import { countIndex, type ServiceCountField, type ServiceCounts } from '../contract/service-counts.ts';
import type { Budget } from '../contract/standing.ts';
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
 * Never rejects: the block has ended, and a note that is lost with Postgres costs a later judgement.
 */
export const createNoteAnswers =
  (store: BudgetStore, budgets: Budgets) =>
  async (appId: AppId, { counts }: ServiceCounts): Promise<void> => {
    const countOf = (index: number, field: ServiceCountField): number =>
      counts[countIndex(index, field)] ?? 0;
    try {
      const limited = (await budgets.of(appId)).map(({ service }) => service);
      for (const [index, service] of pushServices.entries()) {
        const throttled = countOf(index, 'throttled');
        const accepted = countOf(index, 'accepted');
        if (throttled === 0 && !(limited.includes(service) && accepted > 0)) continue;
        await store.noteAnswers({ appId, service }, { accepted, throttled });
      }
    } catch {
      // Whatever is sent next meets the outage itself.
    }
  };
