import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { type Clock, systemClock } from '../../contract/clock.ts';
import { type IsTrusted, plainAddress } from './trusted-proxies.ts';

/** Of one peer a line an hour, and of so many peers. */
const AGAIN_MS = 3_600_000;
const MOST_PEERS = 100;

/**
 * Says in the log that somebody names clients whom we do not believe: behind a proxy that is not in TRUSTED_PROXIES
 * everybody has the proxy's address, so they share one rate limit, and twenty wrong log-ins lock out all of them.
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
      `a peer that TRUSTED_PROXIES does not name sends ${header}, which is not believed: if it is your proxy, everybody behind it shares one rate limit and one count of failed log-ins. Set TRUSTED_PROXIES=${peer}, and let the proxy send X-Forwarded-For. If it is none, ignore this`,
    );
  });
}

/** A proxy's own address inside, and outside the network it is in: a reader's address is for no log. */
function networkOf(given: string): string {
  const address = plainAddress(given);
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return address;
  const bits = parsed.kind() === 'ipv4' ? 24 : 48;
  const network =
    parsed.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
  return `${network.toString()}/${bits}`;
}
