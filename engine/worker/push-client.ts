import { createSecureContext, getCACertificates } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { createPublicAddresses, notPublic, type PublicAddresses } from '../network/public-addresses.ts';
import type { WorkerOptions } from './protocol.ts';
import { Answer, type Carrier, type Carriers, type PushListener, type PushRequest } from './push-answer.ts';

/**
 * Requests to push services over HTTP/2, the one home of undici.
 *
 * Each origin has up to `connectionsPerOrigin` connections; a further one is opened only when those there
 * are full, so few sockets carry many streams. undici itself sends a request again, once, where the peer
 * said that it never looked at it (REFUSED_STREAM, above GOAWAY's last stream): that is no duplicate.
 */
export interface PushClient {
  /** Starts one POST. `listener.answered` is called once, before this returns where nothing can be sent. */
  post(request: PushRequest, listener: PushListener): void;
  /** Origins with connections at this moment. */
  origins(): number;
  /** Drops every connection; requests in flight end as unknown. */
  close(): Promise<void>;
}

/** A body over this resets its stream: nothing that long answers a push message. */
const MAX_RESPONSE_BYTES = 65_536;
/** How long an unused connection is kept: push services close theirs by themselves, with GOAWAY. */
const IDLE_CONNECTION_MS = 300_000;
/** How often an idle or busy connection is asked whether the peer is there. */
const PING_INTERVAL_MS = 30_000;

type ClientOptions = Pick<
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

/** One undici Client: at most one socket at a time, opened again when it is needed. */
interface Connection extends Carrier {
  readonly client: Client;
  /** Full: undici queues what comes now. */
  busy: boolean;
  connected: boolean;
}

/** @param addresses which ones may be connected to; null: any. Tests put in their own. */
export function createPushClient(
  options: ClientOptions,
  addresses: PublicAddresses | null = options.allowAnyEndpointHost ? null : createPublicAddresses(),
): PushClient {
  const clientOptions = compileClientOptions(options, addresses);
  /** In the order of use: the first is the one to close. */
  const origins = new Map<string, Connection[]>();

  function connectionsOf(origin: string): Connection[] {
    const known = origins.get(origin);
    if (known !== undefined && origins.size === 1) return known;
    origins.delete(origin);
    const connections = known ?? [];
    origins.set(origin, connections);
    if (origins.size > options.maxOrigins) closeOldest();
    return connections;
  }

  function closeOldest(): void {
    const [origin, connections] = origins.entries().next().value as [string, Connection[]];
    origins.delete(origin);
    // Gracefully: another block of this thread may still wait for answers on them.
    for (const { client } of connections) void client.close();
  }

  function open(origin: string, connections: Connection[]): Connection {
    const client = new Client(origin, clientOptions);
    const state = {
      busy: false,
      connected: false,
      discarded: false,
      inFlight: 0,
      timeoutsInRow: 0,
      answeredAt: 0,
    };
    const connection: Connection = Object.assign(state, { client });
    client.on('drain', () => {
      connection.busy = false;
    });
    client.on('connect', () => {
      connection.connected = true;
    });
    client.on('disconnect', () => {
      connection.connected = false;
    });
    connections.push(connection);
    return connection;
  }

  function pick(origin: string): Connection {
    const connections = connectionsOf(origin);
    const idle = connections.find((connection) => !connection.busy);
    if (idle !== undefined) return idle;
    // While one is still connecting nobody knows how many streams it will take: wait for it.
    const mayOpen = connections.length < options.connectionsPerOrigin;
    if (mayOpen && connections.every((connection) => connection.connected)) return open(origin, connections);
    return connections.reduce((best, other) => (other.inFlight < best.inFlight ? other : best));
  }

  /** Takes a connection out of use whose peer no longer answers, whatever its TCP state says. */
  function discard(carrier: Carrier): void {
    const connection = carrier as Connection; // `dispatch` hands out no other carriers
    connection.discarded = true;
    for (const connections of origins.values()) {
      const at = connections.indexOf(connection);
      if (at >= 0) connections.splice(at, 1);
    }
    // Not at once: this runs inside one of the client's own callbacks.
    queueMicrotask(() => void connection.client.destroy());
  }

  function dispatch(answer: Answer): void {
    const { request } = answer;
    const connection = pick(request.origin);
    answer.carrier = connection;
    connection.inFlight++;
    const accepting = connection.client.dispatch(
      { method: 'POST', path: request.path, headers: request.headers, body: request.body },
      answer,
    );
    if (!accepting) connection.busy = true;
  }

  const carriers: Carriers = {
    onTimeout(carrier) {
      carrier.timeoutsInRow++;
      const dead = carrier.timeoutsInRow >= options.deadSessionAfterTimeouts;
      if (dead && !carrier.discarded) discard(carrier);
    },
    sendElsewhere: dispatch,
  };

  return {
    post(request, listener) {
      dispatch(new Answer(request, listener, carriers));
    },
    origins: () => origins.size,
    async close() {
      const all = [...origins.values()].flat();
      origins.clear();
      await Promise.all(all.map(({ client }) => client.destroy()));
    },
  };
}

function compileClientOptions(options: ClientOptions, addresses: PublicAddresses | null): Client.Options {
  return {
    connect: createConnector(options, addresses),
    allowH2: true,
    // Of HTTP/1.1 only: pipelining would tie messages to the slowest answer.
    pipelining: 1,
    h2Options: { maxConcurrentStreams: options.streamsPerConnection, pingInterval: PING_INTERVAL_MS },
    headersTimeout: options.answerTimeoutMs,
    bodyTimeout: options.answerTimeoutMs,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
  };
}

function createConnector(
  options: ClientOptions,
  addresses: PublicAddresses | null,
): buildConnector.connector {
  const ca = options.extraCa === null ? {} : { ca: [...getCACertificates('default'), options.extraCa] };
  const connect = buildConnector({
    allowH2: true,
    // Without it undici names http/1.1 first, and a server that heeds the order takes it.
    preferH2: true,
    timeout: options.connectTimeoutMs,
    maxCachedSessions: options.maxOrigins,
    // One for all sockets: reading the authorities takes milliseconds.
    secureContext: createSecureContext(ca),
    ...(addresses === null ? {} : { lookup: addresses.lookup }),
  });
  return (target, callback) => {
    if (addresses === null || addresses.allows(target.hostname)) connect(target, callback);
    else queueMicrotask(() => callback(notPublic(target.hostname), null));
  };
}
