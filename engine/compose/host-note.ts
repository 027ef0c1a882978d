import type { Logger } from '../adapters/telemetry/logger.ts';
import type { Metrics } from '../adapters/telemetry/metrics.ts';
import type { HostLeft } from '../worker/protocol.ts';
import { OWN_AGAIN_MS } from '../worker/second-client.ts';

const MAX_HOSTS = 1_000;

/** Each thread finds out by itself: a host is logged and counted once, and again when our own has been tried again. */
export function createHostNote(
  logger: Pick<Logger, 'warn'>,
  metrics: Pick<Metrics, 'pushHostLeft'>,
  now: () => number = () => performance.now(),
): (left: Pick<HostLeft, 'origin' | 'why'>) => void {
  /** Hosts, the oldest first, with the end of their time. */
  const noted = new Map<string, number>();
  return ({ origin, why }) => {
    if (now() < (noted.get(origin) ?? 0)) return;
    noted.delete(origin);
    noted.set(origin, now() + OWN_AGAIN_MS);
    if (noted.size > MAX_HOSTS) noted.delete(noted.keys().next().value as string);
    metrics.pushHostLeft();
    logger.warn(
      { origin, why },
      'our own HTTP/2 gave up on this push service: for ten minutes, its messages go by undici',
    );
  };
}
