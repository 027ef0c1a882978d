import type { Clock } from '../../../engine/contract/concurrency/clock.ts';

/**
 * One simulated process: as long as it lives its timers fire; frozen (a long pause of its machine) they fire
 * when it thaws; dead, never again. A promise of a dead process stays pending and is forgotten.
 */
export interface Process {
  readonly name: string;
  readonly clock: Clock;
  alive(): boolean;
  die(): void;
  freeze(forMs: number): void;
  /** Resolves once the process runs: at once, at the end of its freeze, or never. */
  runs(): Promise<void>;
  /** The process's own time. */
  wallMs(): number;
  jump(byMs: number): void;
}

const never = new Promise<never>(() => {});

export function createProcess(name: string, clock: Clock): Process {
  let alive = true;
  let frozenUntilMs = 0;
  let skewMs = 0;

  function fireWhenRunning(fire: () => void, moved: (timer: ReturnType<Clock['setTimer']>) => void): void {
    if (!alive) return;
    const leftMs = frozenUntilMs - clock.now();
    if (leftMs > 0) moved(clock.setTimer(leftMs, () => fireWhenRunning(fire, moved)));
    else fire();
  }

  const own: Clock = {
    now: () => clock.now(),
    setTimer: (delayMs, fire) => {
      let timer = clock.setTimer(delayMs, () =>
        fireWhenRunning(fire, (later) => {
          timer = later;
        }),
      );
      return { clear: () => timer.clear() };
    },
  };
  return {
    name,
    clock: own,
    alive: () => alive,
    die: () => {
      alive = false;
    },
    freeze: (forMs) => {
      frozenUntilMs = Math.max(frozenUntilMs, clock.now() + forMs);
    },
    runs: async () => {
      if (alive && frozenUntilMs > clock.now()) {
        await new Promise<void>((resolve) => own.setTimer(frozenUntilMs - clock.now(), resolve));
      }
      if (!alive) await never;
    },
    wallMs: () => clock.now() + skewMs,
    jump: (byMs) => {
      skewMs += byMs;
    },
  };
}
