import type { RunArrivals } from './arrival-times.ts';
import type { FaultPlan, FaultRule } from './faults.ts';
import type { Duplicate, IndexCounts, LedgerTotals } from './ledger-run.ts';
import type { KeptMessage } from './message-memory.ts';
import type { Health } from './serve-control.ts';

/** The control calls of a running double. Every call @throws Error with its answer. */
export interface ControlClient {
  ledger(): Promise<LedgerTotals>;
  /** Counts per index of [from, to), at most 65,536 of them. */
  indexes(from: number, to: number): Promise<IndexCounts>;
  /** At most 1,000. */
  duplicates(): Promise<Duplicate[]>;
  /** When the messages of the run were accepted. */
  arrivals(): Promise<RunArrivals>;
  /**
   * Ends the run and begins another from zero. @returns the totals of the ended one.
   * @param arrivalsFrom the first index whose arrivals are counted apart from the others'; left out: none is another.
   */
  mark(run: string, arrivalsFrom?: number): Promise<LedgerTotals>;
  /** What index last decrypted; null: nothing, or long ago (the last 1,024 indexes are kept). */
  message(index: number): Promise<KeptMessage | null>;
  /** Replaces the faults set before. They do not survive a restart. */
  setFaults(plan: FaultPlan | readonly FaultRule[]): Promise<void>;
  clearFaults(): Promise<void>;
  /** User and system time of the current process so far, in microseconds. */
  cpuUs(): Promise<number>;
  rssBytes(): Promise<number>;
}

/** The typed side of `serve-control.ts`. */
export function createControlClient(url: string): ControlClient {
  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    // A connection kept open would be a dead one after a kill.
    const response = await fetch(`${url}${path}`, { ...init, headers: { connection: 'close' } });
    const json: unknown = await response.json();
    if (!response.ok) throw new Error(`push service double: ${method} ${path}: ${JSON.stringify(json)}`);
    return json;
  }
  const health = async () => (await call('GET', '/health')) as Health;

  return {
    ledger: async () => (await call('GET', '/ledger')) as LedgerTotals,
    indexes: async (from, to) => (await call('GET', `/ledger/indexes?from=${from}&to=${to}`)) as IndexCounts,
    duplicates: async () => (await call('GET', '/ledger/duplicates')) as Duplicate[],
    arrivals: async () => (await call('GET', '/ledger/arrivals')) as RunArrivals,
    mark: async (run, from = -1) =>
      (await call('POST', `/ledger/mark?run=${encodeURIComponent(run)}&from=${from}`)) as LedgerTotals,
    message: async (index) => (await call('GET', `/messages?index=${index}`)) as KeptMessage | null,
    async setFaults(faults) {
      const plan: FaultPlan = 'rules' in faults ? faults : { rules: [...faults] };
      await call('POST', '/faults', plan);
    },
    clearFaults: async () => void (await call('DELETE', '/faults')),
    cpuUs: async () => (await health()).cpuUs,
    rssBytes: async () => (await health()).rssBytes,
  };
}
