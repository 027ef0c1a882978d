import { IDLE_MS } from './exchange.ts';

/** How often a peer is asked whether it is there. One that has not answered by the next time is not. */
const PING_INTERVAL_MS = 30_000;

export interface KeeperDeps {
  /** When the last request was sent, by `performance.now()`; null while one is on its way. */
  readonly unusedSince: () => number | null;
  readonly ping: () => void;
  readonly onSilent: () => void;
  readonly onIdle: () => void;
}

/** Detects that a peer is silently gone, and closes an idle connection. */
export function startKeeper(deps: KeeperDeps): { ponged(): void; stop(): void } {
  let pingIsOut = false;

  const timer = setInterval(() => {
    const since = deps.unusedSince();
    if (pingIsOut) deps.onSilent();
    else if (since !== null && performance.now() - since > IDLE_MS) deps.onIdle();
    else {
      pingIsOut = true;
      deps.ping();
    }
  }, PING_INTERVAL_MS).unref();

  return {
    ponged: () => {
      pingIsOut = false;
    },
    stop: () => clearInterval(timer),
  };
}
