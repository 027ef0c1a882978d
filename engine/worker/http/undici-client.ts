import { Client } from 'undici';
import type { PublicAddresses } from '../../network/public-addresses.ts';
import { Answer } from '../push-answer.ts';
import type { ClientOptions, PushClient } from '../push-client.ts';
import { createByteBudget } from './byte-budget.ts';
import { createConnect } from './connect.ts';
import { IDLE_MS } from './exchange.ts';
import { reasonOf } from './reason.ts';
import {
  type Connection,
  hasOpen,
  MAX_SILENT_IN_ROW,
  type Pool,
  saidGoodbye,
  Transfer,
} from './undici-transfer.ts';

const OPEN_AGAIN_MS = 1_000;
/** As of our own client. */
const CALM_MS = 10_000;
const MAX_BODY_BYTES = 16_384;
const PING_INTERVAL_MS = 30_000;
/** Deadlines are looked at this often within their time, by one timer for all messages. */
const SWEEPS_PER_TIMEOUT = 20;
const MAX_SWEEP_MS = 250;

/**
 * undici's HTTP/2, kept to the contract of `push-client.ts`. This adds what undici lacks: it has deadlines for
 * silence, not for an answer, and none for waiting messages; it opens the next connection at once where the last one
 * ended without an answer, one message each; it forgets, but does not end, the streams of a connection after GOAWAY;
 * and it checks a silent session by PING, which a hung push service still answers.
 * @param addresses the addresses that may be connected to; null: any.
 */
export function createUndiciClient(options: ClientOptions, addresses: PublicAddresses | null): PushClient {
  const connect = createConnect(options, addresses);
  const { answerTimeoutMs, connectionsPerOrigin } = options;
  /** In the order of use: the first is the one to close. */
  const pools = new Map<string, Pool>();
  /** Includes connections that are closing with messages in flight: no pool has them. */
  const living = new Map<Connection, Pool>();
  let isDestroyed = false;
  const sweeper = setInterval(sweep, Math.min(MAX_SWEEP_MS, Math.ceil(answerTimeoutMs / SWEEPS_PER_TIMEOUT)));
  sweeper.unref();

  function poolOf(origin: string): Pool {
    const known = pools.get(origin);
    if (known !== undefined && pools.size === 1) return known;
    pools.delete(origin);
    const pool = known ?? newPool(origin);
    pools.set(origin, pool);
    if (pools.size > options.maxOrigins) {
      const [oldest, closed] = pools.entries().next().value as [string, Pool];
      pools.delete(oldest);
      closed.isClosed = true;
      closeIfUnused(closed);
    }
    return pool;
  }

  /** Gracefully: another block of this thread may still wait for answers. */
  function closeIfUnused(pool: Pool): void {
    if (!pool.isClosed || pool.waiting.length > 0) return;
    for (const { client } of pool.connections.splice(0)) void client.close();
  }

  function dispatch(answer: Answer): void {
    if (isDestroyed) {
      answer.onFailure('refused', 'CONNECTION_CLOSED');
      return;
    }
    const pool = poolOf(answer.request.origin);
    if (isCalming(pool) && pool.connections.length === 0) {
      answer.onFailure('refused', 'ENHANCE_YOUR_CALM');
      return;
    }
    if (pool.unstarted++ === 0) pool.movedAt = performance.now();
    // Never at once: undici may be reporting an ending, and rearranging the very queue that this would go into.
    if (pool.waiting.push(answer) === 1) queueMicrotask(() => sendWaiting(pool));
  }

  function sendWaiting(pool: Pool): void {
    while (pool.waiting.length > 0) {
      const connection = pool.connections.find(({ isFull }) => !isFull) ?? open(pool);
      if (connection === null) return;
      send(pool, connection, pool.waiting.shift() as Answer);
    }
    closeIfUnused(pool);
  }

  function send(pool: Pool, connection: Connection, answer: Answer): void {
    const { path, headers, body } = answer.request;
    connection.inHand++;
    connection.requests++;
    // Before the call: undici may say `drain` within it.
    connection.isFull = true;
    const takesMore = connection.client.dispatch(
      { method: 'POST', path, headers, body },
      new Transfer(answer, pool, connection),
    );
    if (takesMore) connection.isFull = false;
  }

  /** @returns null where none may be opened: what waits is sent by those that are there. */
  function open(pool: Pool): Connection | null {
    const { origin, connections, openAfter } = pool;
    // While one connects, its number of streams is unknown.
    const mayOpen = connections.length < connectionsPerOrigin && connections.every((one) => one.isConnected);
    if (!mayOpen || isCalming(pool) || (connections.length > 0 && performance.now() < openAfter)) return null;
    const client = new Client(origin, {
      connect: (_, callback) =>
        connect(origin, (error, socket) => {
          if (error !== null || socket === null) return callback(error ?? new Error('no socket'), null);
          connection.readBefore += connection.socket?.bytesRead ?? 0;
          connection.socket = socket;
          callback(null, socket);
        }),
      allowH2: true,
      // Of HTTP/1.1 only: it would tie messages to the slowest answer.
      pipelining: 1,
      h2Options: { maxConcurrentStreams: options.streamsPerConnection, pingInterval: PING_INTERVAL_MS },
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      maxResponseSize: MAX_BODY_BYTES,
    });
    const connection: Connection = {
      client,
      started: new Set(),
      inHand: 0,
      isFull: false,
      isConnected: false,
      isRetired: false,
      requests: 0,
      readBefore: 0,
      socket: null,
      isOverdrawn: createByteBudget(),
      timeoutsInRow: 0,
      answeredAt: 0,
    };
    listen(pool, connection);
    connections.push(connection);
    living.set(connection, pool);
    return connection;
  }

  function listen(pool: Pool, connection: Connection): void {
    connection.client
      .on('drain', () => {
        connection.isFull = false;
        sendWaiting(pool);
      })
      .on('connect', () => {
        connection.isConnected = true;
        connection.answeredAt = 0;
      })
      .on('disconnect', (_origin, _targets, error) => {
        if (!saidGoodbye(error) && connection.answeredAt === 0) retire(pool, connection, 'CONNECTION_CLOSED');
        connection.isConnected = false;
      })
      .on('connectionError', (_origin, _targets, error) => {
        if (!hasOpen(pool)) return giveUp(pool, reasonOf(error), true);
        // Waiting messages go over those, and a further one is not tried with every answer.
        pool.openAfter = performance.now() + OPEN_AGAIN_MS;
        retire(pool, connection, reasonOf(error));
      });
  }

  /** The peer does not answer on it, whatever its TCP state is. */
  function retire(pool: Pool, connection: Connection, why: string): void {
    if (connection.isRetired) return;
    connection.isRetired = true;
    if (connection.isConnected && connection.answeredAt === 0) pool.silentInRow++;
    const at = pool.connections.indexOf(connection);
    if (at >= 0) pool.connections.splice(at, 1);
    // First: as soon as one is abandoned, undici would send the next of its queue.
    void connection.client.destroy();
    for (const transfer of [...connection.started])
      transfer.abandon(transfer.isLate ? 'ANSWER_TIMEOUT' : why);
    // Not here: this may run inside the client's own callbacks.
    queueMicrotask(() => {
      if (pool.silentInRow >= MAX_SILENT_IN_ROW) giveUp(pool, why);
      else sendWaiting(pool);
    });
  }

  /** Nothing of what waits was written. */
  function giveUp(pool: Pool, why: string, isUnconnected = false): void {
    pool.silentInRow = 0;
    for (const answer of pool.waiting.splice(0)) {
      pool.unstarted--;
      if (isUnconnected) answer.onNotConnected(why);
      else answer.onFailure('refused', why);
    }
    closeIfUnused(pool);
  }

  function sweep(): void {
    const now = performance.now();
    for (const [connection, pool] of living) {
      endLate(pool, connection, now - answerTimeoutMs);
      if (floods(connection)) calm(pool, connection);
      if (connection.inHand === 0 && (connection.isRetired || pool.isClosed)) living.delete(connection);
      else if (pool.unstarted > 0 && pool.movedAt + 2 * answerTimeoutMs < now) stall(pool);
    }
  }

  function endLate(pool: Pool, connection: Connection, startedBefore: number): void {
    const late: Transfer[] = [];
    for (const transfer of connection.started) {
      if (transfer.startedAt > startedBefore) break;
      // Where others were answered meanwhile it lives: to close it would cost them theirs.
      if (!transfer.hasStatus && connection.answeredAt < transfer.startedAt) connection.timeoutsInRow++;
      transfer.isLate = true;
      late.push(transfer);
    }
    if (connection.timeoutsInRow >= options.deadSessionAfterTimeouts) retire(pool, connection, 'NO_ANSWERS');
    for (const transfer of late) transfer.abandon('ANSWER_TIMEOUT');
  }

  function calm(pool: Pool, connection: Connection): void {
    pool.calmUntil = performance.now() + CALM_MS;
    retire(pool, connection, 'ENHANCE_YOUR_CALM');
    if (pool.connections.length === 0) giveUp(pool, 'ENHANCE_YOUR_CALM');
  }

  /** A peer that takes one message after the other has all the time there is; one that takes none has not. */
  function stall(pool: Pool): void {
    pool.silentInRow = MAX_SILENT_IN_ROW;
    for (const [connection, of] of living) if (of === pool) retire(pool, connection, 'NO_FREE_STREAM');
    giveUp(pool, 'NO_FREE_STREAM');
  }

  return {
    post(request, listener) {
      dispatch(new Answer(request, listener, dispatch));
    },
    origins: () => pools.size,
    async close() {
      isDestroyed = true;
      clearInterval(sweeper);
      for (const pool of new Set([...pools.values(), ...living.values()])) giveUp(pool, 'CONNECTION_CLOSED');
      pools.clear();
      for (const [connection, pool] of living) retire(pool, connection, 'CONNECTION_CLOSED');
      // Those that were retired before are still closing.
      await Promise.all([...living.keys()].map(({ client }) => client.destroy()));
    },
  };
}

const isCalming = ({ calmUntil }: Pool): boolean => calmUntil > 0 && performance.now() < calmUntil;

/** Of the frames, node:http2 bounds some kinds; what it reads of all others costs as much. */
const floods = ({ isRetired, socket, readBefore, requests, isOverdrawn }: Connection): boolean =>
  !isRetired && socket !== null && isOverdrawn(readBefore + socket.bytesRead, requests);

const newPool = (origin: string): Pool => ({
  origin,
  connections: [],
  waiting: [],
  unstarted: 0,
  movedAt: 0,
  openAfter: 0,
  silentInRow: 0,
  calmUntil: 0,
  isClosed: false,
});
