import type { WorkerOptions } from './protocol.ts';
import type { PushListener, PushRequest } from './push-answer.ts';

/**
 * Carries messages to push services over HTTP/2, and over HTTP/1.1 where a push service knows nothing newer. Two
 * implementations: `http/own-client.ts` and `http/undici-client.ts`. Both keep this contract, and one suite tests both:
 *
 * - **One ending for each message**, whatever the peer does, within bounded time: an answer is waited for
 *   `answerTimeoutMs`; a message that no connection takes fails once its origin has taken none for twice as long.
 * - **Three endings.** `answered`: a final status came, even if its body did not. `refused`: the push service never
 *   processed the message (it was not written, or the peer says so), so another attempt is not a duplicate. `unknown`:
 *   anything else. In doubt it is unknown, never refused.
 * - A request that the peer never processed (REFUSED_STREAM, above GOAWAY's last stream) is sent again, a bounded
 *   number of times. No other one is: retrying is the caller's.
 * - **Bounded sockets.** Up to `connectionsPerOrigin` for each origin, a further one only when those there are full,
 *   with at most `streamsPerConnection` messages each, or as many as the peer allows. Beyond `maxOrigins` the least
 *   recently used origin is closed, once its messages have ended. The callers bound the waiting messages.
 * - `deadSessionAfterTimeouts` timeouts in a row, without an answer between them, close a connection.
 * - Connects to no address that is not public, unless any host is allowed; follows no redirect; reads no body further
 *   than a few kilobytes, and keeps its first 200 bytes.
 * - A peer that sends more than its requests pay for is disconnected, and left alone for ten seconds: ours counts frames
 *   that bring nothing forward (`http/calm.ts`), undici's bytes (`http/byte-budget.ts`), and node:http2 some kinds of frames.
 *
 * Only our own also distinguishes a message that was sent in part (refused) from one sent whole (unknown), and pings idle
 * connections. Where it gives up on a host that may be well, undici has the host's next ten minutes (`second-client.ts`).
 * Under undici, node:http2 (26.10.0) can be made to send empty DATA frames for ever, by a peer with small windows that
 * it changes while it says goodbye: the thread stands still, the engine replaces it, and gives no host to undici from then
 * on until it is started again. So `random-peer.test.ts` plays our own alone, and `same-endings.test.ts` both with a peer
 * whose windows stay.
 */
export interface PushClient {
  /** Starts one POST. `listener.answered` is called once, before this returns where nothing can be sent. */
  post(request: PushRequest, listener: PushListener): void;
  /** Origins with connections at this moment. */
  origins(): number;
  /** Drops every connection; messages in flight end as unknown, those that wait as refused. */
  close(): Promise<void>;
}

export type ClientOptions = Pick<
  WorkerOptions,
  | 'connectionsPerOrigin'
  | 'streamsPerConnection'
  | 'connectTimeoutMs'
  | 'answerTimeoutMs'
  | 'deadSessionAfterTimeouts'
  | 'maxOrigins'
  | 'extraCa'
  | 'allowAnyEndpointHost'
>;
