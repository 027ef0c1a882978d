import type { PublicAddresses } from '../network/public-addresses.ts';
import { createOwnClient } from './http/own-client.ts';
import { createUndiciClient } from './http/undici-client.ts';
import type { HostLeft } from './protocol.ts';
import type { Answer } from './push-answer.ts';
import type { ClientOptions, PushClient } from './push-client.ts';

export interface SecondClient {
  /** False: hosts are given up on as if there were no other client. */
  readonly isOpen: () => boolean;
  /** Called once for each host and time. */
  readonly onGivenUp: (host: Pick<HostLeft, 'origin' | 'why'>) => void;
}

/** Then our own is tried again: it costs less, and undici cannot be kept from looping by every peer (`push-client.ts`). */
export const OWN_AGAIN_MS = 600_000;

/** What one side of a connection says of the other one's frames. */
const objections = [
  'PROTOCOL_ERROR',
  'FLOW_CONTROL_ERROR',
  'FRAME_SIZE_ERROR',
  'STREAM_CLOSED',
  'COMPRESSION_ERROR',
] as const;

/**
 * Why our own gives up on a host that may be well: it objects to the peer's frames, the peer to its, the peer sends too
 * many, or waits with its SETTINGS for the first request. A host that is unavailable, silent, or refuses is no different for undici.
 */
const verdicts: ReadonlySet<string> = new Set([
  ...objections.flatMap((name) => [name, `GOAWAY_${name}`]),
  'ENHANCE_YOUR_CALM',
  'SETTINGS_TIMEOUT',
]);

/**
 * Our own client, and undici's for hosts that it gives up on: their messages go there before they fail, and so do those of
 * the next ten minutes. Only what the peer certainly did not process goes twice; the rest is `unknown` as ever.
 */
export function createTwoClients(
  options: ClientOptions,
  addresses: PublicAddresses | null,
  { isOpen, onGivenUp }: SecondClient,
  now: () => number = () => performance.now(),
): PushClient {
  /** Made when it is first needed: most threads never do. */
  let undici: PushClient | null = null;
  /** Hosts with the end of their time, the oldest first. */
  const givenUp = new Map<string, number>();
  let isClosed = false;

  function goesBySecond(origin: string): boolean {
    const until = givenUp.get(origin);
    if (until === undefined) return false;
    if (isOpen() && now() < until) return true;
    givenUp.delete(origin);
    return false;
  }

  function handOver({ request, listener }: Answer, why: string): boolean {
    if (isClosed || !verdicts.has(why) || !isOpen()) return false;
    const { origin } = request;
    if (!goesBySecond(origin)) {
      givenUp.set(origin, now() + OWN_AGAIN_MS);
      if (givenUp.size > options.maxOrigins) givenUp.delete(givenUp.keys().next().value as string);
      onGivenUp({ origin, why });
    }
    undici ??= createUndiciClient(options, addresses);
    undici.post(request, listener);
    return true;
  }

  const own = createOwnClient(options, addresses, handOver);
  return {
    post(request, listener) {
      if (givenUp.size > 0 && undici !== null && goesBySecond(request.origin)) undici.post(request, listener);
      else own.post(request, listener);
    },
    origins: () => own.origins() + (undici?.origins() ?? 0),
    async close() {
      isClosed = true;
      await Promise.all([own.close(), undici?.close()]);
    },
  };
}
