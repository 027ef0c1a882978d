import type { Clock, Timer } from '../../contract/concurrency/clock.ts';

/**
 * Finds a consumer that is a member of its group and does nothing: kafkajs 2.2.4 has been seen to stop fetching
 * without an error. Also ends a membership whose lease ran out unnoticed, because the broker may have given its
 * partitions to another member by then.
 */
export interface Watchdog {
  /** The broker confirmed this member. */
  confirmed(): void;
  /** A fetch came back, with or without records. */
  fetched(): void;
  /** Records came, or are being handled. */
  worked(): void;
  /** Starts or, with a new membership, starts over. */
  start(): void;
  stop(): void;
}

export interface MembershipEnd {
  readonly reason: string;
  /** Somebody else may have the partitions already. */
  readonly leaseLost: boolean;
}

export interface WatchdogDeps {
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly idleMs: number;
  readonly checkEveryMs: number;
  /** False while nothing is expected to happen: paused, full, or handlers at work. */
  readonly isWaiting: () => boolean;
  /** Records on the consumer's own partitions. */
  readonly lag: () => Promise<number>;
  readonly onSilent: (end: MembershipEnd) => void;
}

export function createWatchdog(deps: WatchdogDeps): Watchdog {
  const { clock, leaseMs, idleMs } = deps;
  let confirmedAt = 0;
  let fetchedAt = 0;
  let workedAt = 0;
  let sawLag = false;
  /** Each start is a run of its own: pending checks of an older one have no effect. */
  let run = 0;
  let timer: Timer | null = null;

  function startOver(): void {
    confirmedAt = fetchedAt = workedAt = clock.now();
    sawLag = false;
  }

  async function check(mine: number): Promise<void> {
    const end = await verdict();
    if (mine !== run) return;
    if (end !== null) deps.onSilent(end);
    else checkLater(mine);
  }

  function checkLater(mine: number): void {
    timer = clock.setTimer(deps.checkEveryMs, () => void check(mine));
  }

  async function verdict(): Promise<MembershipEnd | null> {
    const now = clock.now();
    if (now - confirmedAt > leaseMs) return lost(`no heartbeat was answered for ${leaseMs} ms`);
    if (now - fetchedAt > idleMs) return idle(`nothing was fetched for ${idleMs} ms`);
    if (!deps.isWaiting()) workedAt = now;
    if (now - workedAt < idleMs) {
      sawLag = false;
      return null;
    }
    return lagAgain(now);
  }

  /** Lag at two checks with no work between: a record that came just now is not a silence. */
  async function lagAgain(now: number): Promise<MembershipEnd | null> {
    const lag = await deps.lag().catch(() => 0);
    if (workedAt > now - idleMs) return null;
    if (lag > 0 && sawLag) return idle(`there is a lag of ${lag} and nothing was done for ${idleMs} ms`);
    sawLag = lag > 0;
    return null;
  }

  return {
    confirmed: () => {
      confirmedAt = clock.now();
    },
    fetched: () => {
      fetchedAt = clock.now();
    },
    worked: () => {
      workedAt = clock.now();
    },
    start: () => {
      const mine = ++run;
      startOver();
      timer?.clear();
      checkLater(mine);
    },
    stop: () => {
      run++;
      timer?.clear();
    },
  };
}

const lost = (reason: string): MembershipEnd => ({ reason, leaseLost: true });
const idle = (reason: string): MembershipEnd => ({ reason, leaseLost: false });
