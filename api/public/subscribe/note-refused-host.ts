import type { FastifyBaseLogger } from 'fastify';
import {
  type EndpointPolicy,
  hostToName,
  isRefusedForItsHost,
  parseNewEndpoint,
} from '../../../engine/contract/push-service.ts';

/** Strangers invent hosts: this number of them is logged in an hour, each once, and the rest are not. */
const MOST_NAMED = 50;
const HOUR_MS = 3_600_000;

export type NoteRefusedHost = (log: Pick<FastifyBaseLogger, 'warn'>, endpoint: string) => void;

/** Names in the log each host that no endpoint is taken at: a browser's new one is learned from there. */
export function createNoteRefusedHost(
  policy: EndpointPolicy,
  now: () => number = () => performance.now(),
): NoteRefusedHost {
  const named = new Set<string>();
  let until = now() + HOUR_MS;
  return (log, endpoint) => {
    if (now() >= until) {
      named.clear();
      until = now() + HOUR_MS;
    }
    const url = parseNewEndpoint(endpoint, policy);
    const host = typeof url === 'string' && isRefusedForItsHost(url) ? hostToName(endpoint) : null;
    if (host === null || named.has(host) || named.size === MOST_NAMED) return;
    named.add(host);
    log.warn(
      { host },
      'a browser’s endpoint was refused: its host is not a known push service’s; if it is one, add it to PUSH_SERVICE_HOSTS',
    );
  };
}
