import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Clock, systemClock } from '../../contract/concurrency/clock.ts';
import { addressKey } from './attempt-limit.ts';
import { createIsTrusted, type IsTrusted, plainAddress } from './trusted-proxies.ts';

/** One line per peer and hour, for this many peers. */
const AGAIN_MS = 3_600_000;
const MOST_PEERS = 100;

/**
 * Logs that a peer sends `X-Forwarded-For` though it is not trusted: behind a proxy that is not in
 * TRUSTED_PROXIES all clients have the proxy's address, so they share one rate limit, and twenty wrong log-ins
 * lock out all of them.
 */
export function registerUnknownProxies(
  app: FastifyInstance,
  isTrusted: IsTrusted,
  clock: Pick<Clock, 'now'> = systemClock,
): void {
  const toldAt = new Map<string, number>();
  const isNews = (peer: string): boolean => {
    for (const [each, at] of toldAt) if (clock.now() - at >= AGAIN_MS) toldAt.delete(each);
    if (toldAt.has(peer) || toldAt.size >= MOST_PEERS) return false;
    toldAt.set(peer, clock.now());
    return true;
  };
  app.addHook('onRequest', async (request: FastifyRequest) => {
    const header = ['x-forwarded-for', 'forwarded'].find((name) => request.headers[name] !== undefined);
    const address = request.raw.socket.remoteAddress ?? '';
    if (header === undefined || isTrusted(address)) return;
    const peer = networkOf(address);
    if (!isNews(peer)) return;
    request.log.warn(
      { peer, header },
      `a peer that TRUSTED_PROXIES does not name sends ${header}, which is ignored: if it is your proxy, all clients behind it share one rate limit and one count of failed log-ins. Set TRUSTED_PROXIES=${peer}, and let the proxy send X-Forwarded-For. If it is not, ignore this`,
    );
  });
}

const inside = createIsTrusted([
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '169.254.0.0/16', '100.64.0.0/10'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
]);

/** A proxy's own address inside, and outside the network it is in: a reader's address is for no log. */
function networkOf(given: string): string {
  const address = plainAddress(given);
  if (address === '') return 'unknown';
  if (inside(address)) return address;
  return isIP(address) === 4
    ? `${address.slice(0, address.lastIndexOf('.'))}.0/24`
    : `${addressKey(address)}/64`;
}
