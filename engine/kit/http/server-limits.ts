import type { FastifyHttpOptions, RawServerDefault } from 'fastify';

/** How long a client may take, and when the process has too much to do. */
export interface ServerLimits {
  /** From the first byte, or the connection, to the end of the headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte to the end of the body. */
  readonly requestTimeoutMs: number;
  /** Without a byte in either direction, while an answer is made too: longer than any statement may take. */
  readonly silenceTimeoutMs: number;
  /** Between two requests of one connection: longer than load balancers keep theirs, or they meet a closed one. */
  readonly keepAliveTimeoutMs: number;
  /** How often connections are checked against their limits. */
  readonly checkEveryMs: number;
  /** The mean delay of the event loop from which on requests are refused. */
  readonly maxEventLoopDelayMs: number;
  /** The period of that mean. */
  readonly pressureSampleMs: number;
}

export const serverLimits: ServerLimits = Object.freeze({
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  silenceTimeoutMs: 90_000,
  keepAliveTimeoutMs: 75_000,
  checkEveryMs: 2_000,
  maxEventLoopDelayMs: 1_000,
  pressureSampleMs: 1_000,
});

type ServerOptions = Pick<
  FastifyHttpOptions<RawServerDefault>,
  'connectionTimeout' | 'keepAliveTimeout' | 'requestTimeout' | 'http'
>;

export const serverOptionsOf = (limits: ServerLimits): ServerOptions => ({
  connectionTimeout: limits.silenceTimeoutMs,
  keepAliveTimeout: limits.keepAliveTimeoutMs,
  requestTimeout: limits.requestTimeoutMs,
  http: {
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
  },
});
