import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import type { ReportAdmission } from '../../engine/adapters/postgres/report-tokens.ts';
import type { ReportMetrics } from '../../engine/adapters/telemetry/report-metrics.ts';
import { createTally } from '../../engine/contract/concurrency/fair-queue.ts';
import { addressKey, createAttemptLimit } from '../../engine/kit/http/attempt-limit.ts';
import { parseBearer, type RawToken } from '../../engine/kit/http/token.ts';
import { type Connection, createConnection, readStartup, type Startup } from './connection.ts';
import { SERVER_VERSION } from './functions.ts';
import * as messages from './messages.ts';
import { admitToken, type RunDeps, wireErrorOf } from './run-report.ts';
import { createSession, type Session } from './session.ts';
import { settingsOf } from './settings.ts';
import { loadGrammar } from './sql.ts';
import { WireError } from './wire-error.ts';
import { createWork, type Work } from './work.ts';

/** Reports for whatever speaks to Postgres: one table, read-only, by a reporting token as the password. */

export interface WireOptions {
  readonly host: string;
  readonly port: number;
  /** Null: connections are not encrypted. */
  readonly tls: (() => SecureContext) | null;
  /** Whether clients of other machines may log in unencrypted: a proxy before it encrypts. */
  readonly allowsClearText: boolean;
  readonly connections: number;
  readonly connectionsPerToken: number;
}

export interface WireDeps extends RunDeps {
  readonly logger: FastifyBaseLogger;
  readonly metrics: Pick<ReportMetrics, 'wireEnded' | 'sampleWire'>;
  readonly now: () => number;
}

export interface RunningWire {
  readonly port: number;
  /** Idle clients are disconnected at once, statements that run have a few seconds to end. */
  close(): Promise<void>;
}

export const LOG_IN_MS = 10_000;
export const IDLE_MS = 30 * 60_000;
const CLOSE_MS = 5_000;
const TURN_MS = 10;
export const WRONG_PER_MINUTE = 60;
const MAX_ADDRESSES = 10_000;
/** Beyond the bound on connections: clients that have not logged in. Of more, the one that waits longest goes. */
export const SPARE = 64;
const DATABASE = 'broadside';

interface Client {
  readonly secret: number;
  readonly connection: Connection;
  session: Session | null;
  isBusy: boolean;
}

/** @throws Error where the address is taken. */
export async function startWire(options: WireOptions, deps: WireDeps): Promise<RunningWire> {
  await loadGrammar();
  const wire = createWire(options, deps);
  const server = createServer({ noDelay: true }, (socket) => void wire.serve(socket));
  server.maxConnections = options.connections + SPARE * 2;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  deps.metrics.sampleWire(wire.count);
  return { port: (server.address() as AddressInfo).port, close: () => wire.close(server) };
}

function createWire(options: WireOptions, deps: WireDeps) {
  const clients = new Map<number, Client>();
  const ofToken = createTally();
  const ofOrganization = createTally();
  const works = new Map<number, Work>();
  const wrong = createAttemptLimit({ most: WRONG_PER_MINUTE, withinMs: 60_000, maxKeys: MAX_ADDRESSES });
  let isClosing = false;
  let nextPid = 1;

  const loggedIn = (): number => [...clients.values()].filter(({ session }) => session !== null).length;

  /** Outlives its connections: a client that connects again is in the same minute. */
  function workOf(token: number): Work {
    const work = works.get(token) ?? createWork(deps.now);
    works.delete(token);
    works.set(token, work);
    const [oldest] = works.keys();
    if (works.size > MAX_ADDRESSES && oldest !== undefined) works.delete(oldest);
    return work;
  }

  /** Whoever only connects keeps nobody else out. */
  function leaveRoom(): void {
    const waiting = [...clients.values()].filter(({ session }) => session === null);
    if (waiting.length > SPARE) waiting[0]?.connection.destroy();
  }

  /** Until a log-in, encrypted first where the client asks for it; null: the client is gone, or only cancelled. */
  async function startup(connection: Connection): Promise<Extract<Startup, { kind: 'log-in' }> | null> {
    for (let tries = 0; tries < 3; tries++) {
      const frame = await connection.next('startup');
      if (frame === null) return null;
      const packet = readStartup(frame);
      if (packet.kind === 'log-in') return packet;
      if (packet.kind === 'cancel') {
        const found = clients.get(packet.pid);
        if (found !== undefined && found.secret === packet.secret) found.session?.cancel();
        return null;
      }
      if (packet.kind === 'encrypt' && options.tls !== null && !connection.isEncrypted) {
        await connection.write(Buffer.from('S'));
        await connection.encrypt(options.tls());
      } else await connection.write(Buffer.from('N'));
    }
    throw new WireError('08P01', 'a log-in should have come');
  }

  async function logIn(
    connection: Connection,
    address: string,
  ): Promise<{ readonly admission: ReportAdmission; readonly token: RawToken }> {
    await connection.write(messages.askPassword);
    const frame = await connection.next('password');
    if (frame === null || frame.tag !== 'p') throw new WireError('08P01', 'a password should have come');
    const token = parseBearer(`Bearer ${frame.body.toString('utf8').replace(/\0$/, '')}`);
    const refused = (): WireError => {
      const waits = wrong.take(addressKey(address));
      return new WireError(
        waits > 0 ? '53400' : '28P01',
        waits > 0 ? 'too many wrong passwords' : 'password authentication failed',
        'The password is a reporting token, such as 7|….',
      );
    };
    if (token === null) throw refused();
    const admission = await admitToken(deps.sql, token, deps.ratePerMinute).catch((error: unknown) => {
      throw error instanceof WireError && error.state === '28P01' ? refused() : error;
    });
    return { admission, token };
  }

  function checkPlace({ isEncrypted }: Connection, address: string, database: string | undefined): void {
    if (isClosing) throw new WireError('57P03', 'the process is stopping');
    if (loggedIn() >= options.connections) throw new WireError('53300', 'too many connections');
    if (!isEncrypted && !options.allowsClearText && !isLoopback(address))
      throw new WireError(
        '28000',
        'connections from other machines must be encrypted',
        options.tls === null
          ? 'The operator sets REPORT_WIRE_CERTIFICATE_FILE.'
          : 'Connect with sslmode=require.',
      );
    if (database !== undefined && database !== DATABASE)
      throw new WireError(
        '3D000',
        `database "${database.slice(0, 60)}" does not exist`,
        `The database is ${DATABASE}.`,
      );
  }

  async function open(pid: number, client: Client, address: string): Promise<(() => void) | null> {
    const { connection } = client;
    const login = await startup(connection);
    if (login === null) return null;
    const { parameters } = login;
    checkPlace(connection, address, parameters.database ?? parameters.user);
    const settings = settingsOf(parameters);
    const unknown = Object.keys(parameters).filter((name) => name.startsWith('_pq_.'));
    if (login.minor > 0 || unknown.length > 0) await connection.write(messages.negotiateVersion(unknown));
    const { admission, token } = await logIn(connection, address);
    if (ofToken.of(admission.id) >= options.connectionsPerToken)
      throw new WireError(
        '53300',
        `too many connections with this token: ${options.connectionsPerToken} are open`,
      );
    // A user may have a hundred tokens.
    const share = Math.ceil(options.connections / 2);
    if (ofOrganization.of(admission.organizationId) >= share)
      throw new WireError('53300', `too many connections of your organization: ${share} are open`);
    if (loggedIn() >= options.connections) throw new WireError('53300', 'too many connections');
    const leave = [ofToken.add(admission.id), ofOrganization.add(admission.organizationId)];
    client.session = createSession({
      ...deps,
      ...{ token, settings, work: workOf(admission.id) },
      write: connection.write,
      drop: connection.destroy,
      ended: deps.metrics.wireEnded,
      failed: (error) =>
        deps.logger.error({ err: error, user: admission.userId }, 'a statement of the Postgres wire failed'),
    });
    deps.logger.info(
      { user: admission.userId, tokenId: admission.id, encrypted: connection.isEncrypted },
      'a client of the Postgres wire logged in',
    );
    await connection.write(greeting(pid, client.secret));
    return () => {
      for (const each of leave) each();
    };
  }

  async function converse({ connection }: Client, client: Client): Promise<void> {
    let yieldedAt = performance.now();
    for (;;) {
      // Thousands of messages may lie here already: others get their turn between them.
      if (performance.now() - yieldedAt > TURN_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        yieldedAt = performance.now();
      }
      const idle = setTimeout(
        () => connection.end(fatal('57P05', 'the connection was idle for too long')),
        IDLE_MS,
      );
      const frame = await connection.next('message').finally(() => clearTimeout(idle));
      if (frame === null || isClosing) return;
      client.isBusy = true;
      const goesOn = await client.session?.handle(frame);
      client.isBusy = false;
      if (goesOn !== true) return;
      if (isClosing) return connection.end(fatal('57P01', 'the process is stopping'));
    }
  }

  async function serve(socket: Socket): Promise<void> {
    const pid = nextPid++;
    const address = socket.remoteAddress ?? '';
    const connection = createConnection(socket, () => void client.session?.close());
    const client: Client = { secret: randomInt(2 ** 31), connection, session: null, isBusy: false };
    clients.set(pid, client);
    leaveRoom();
    const late = setTimeout(connection.destroy, LOG_IN_MS);
    let leave: (() => void) | null = null;
    try {
      leave = await open(pid, client, address);
      clearTimeout(late);
      if (leave !== null) await converse(client, client);
      connection.end();
    } catch (error) {
      const known = wireErrorOf(error, new AbortController().signal);
      if (known === null) deps.logger.error({ err: error }, 'a connection of the Postgres wire failed');
      deps.metrics.wireEnded(known === null ? 'failed' : 'refused', 0);
      connection.end(
        messages.errorResponse(
          known ?? new WireError('XX000', 'an internal error, which was logged'),
          'FATAL',
        ),
      );
    } finally {
      clearTimeout(late);
      leave?.();
      clients.delete(pid);
      await client.session?.close().catch(() => undefined);
    }
  }

  return {
    serve,
    count: () => clients.size,
    close: async (server: Server): Promise<void> => {
      isClosing = true;
      const closed = once(server, 'close');
      server.close();
      for (const { connection, isBusy } of clients.values())
        if (!isBusy) connection.end(fatal('57P01', 'the process is stopping'));
      const late = setTimeout(() => {
        for (const { connection } of clients.values()) connection.destroy();
      }, CLOSE_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

const fatal = (state: string, words: string): Buffer =>
  messages.errorResponse(new WireError(state, words), 'FATAL');

const isLoopback = (address: string): boolean =>
  address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');

const parameters: Readonly<Record<string, string>> = {
  server_version: SERVER_VERSION,
  server_encoding: 'UTF8',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
  is_superuser: 'off',
  default_transaction_read_only: 'on',
  in_hot_standby: 'off',
  session_authorization: 'reports',
};

const greeting = (pid: number, secret: number): Buffer =>
  Buffer.concat([
    messages.admitted,
    ...Object.entries(parameters).map(([name, value]) => messages.parameterStatus(name, value)),
    messages.backendKey(pid, secret),
    messages.readyForQuery('I'),
  ]);
