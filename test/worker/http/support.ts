import { connect } from 'node:tls';
import { expect, onTestFinished, vi } from 'vitest';
import { failures } from '../../../engine/contract/outcome.ts';
import type { Exchange, HttpSessionOptions } from '../../../engine/worker/http/exchange.ts';
import { createHttp2Session } from '../../../engine/worker/http/http2-session.ts';
import { frameType } from '../../../engine/worker/http/protocol.ts';
import type { WorkerOptions } from '../../../engine/worker/protocol.ts';
import type { SecondClient } from '../../../engine/worker/second-client.ts';
import { createPushClient } from '../../../engine/worker/transports.ts';
import { makeWorkerOptions } from '../support.ts';
import { type RawConnection, settings, startRawPeer } from './raw-peer.ts';

export const until = (check: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(check(), String(check)).toBe(true), { interval: 2, timeout: 120_000 });

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface RecordedExchange extends Exchange {
  /** What this exchange reported, in order. */
  readonly reported: string[];
  ends(): number;
}

/** @param onReport called after each report. */
export function makeExchange(body = 'body', onReport: (what: string) => void = () => {}): RecordedExchange {
  const reported: string[] = [];
  let ends = 0;
  const report = (what: string, isEnd: boolean): void => {
    reported.push(what);
    if (isEnd) ends++;
    onReport(what);
  };
  return {
    ...{ path: '/p', headers: [], body: Buffer.from(body), reported },
    ends: () => ends,
    onStatus: (status, retryAfter) =>
      report(retryAfter === null ? `${status}` : `${status} ${retryAfter}`, false),
    onBody: (piece) => report(`body ${piece}`, false),
    onEnd: () => report('end', true),
    onRefused: (why) => report(`refused ${why}`, true),
    onFailure: (failure, why) => report(`${failure} ${why}`, true),
  };
}

/** A session and its peer, which sent the given settings. */
export async function startSession(
  given: Partial<HttpSessionOptions> = {},
  first: Buffer | null = settings(),
) {
  const peer = await startRawPeer();
  onTestFinished(peer.close);
  const socket = connect({
    ...{ port: peer.port, host: '127.0.0.1', servername: 'localhost', ca: peer.ca, ALPNProtocols: ['h2'] },
  });
  await new Promise<void>((resolve) => socket.once('secureConnect', resolve));
  const over: string[] = [];
  const made: RecordedExchange[] = [];
  let frees = 0;
  const session = createHttp2Session(
    socket,
    {
      ...{ authority: 'push.test', maxStreams: 100, settingsTimeoutMs: 5_000, answerTimeoutMs: 5_000 },
      ...{ deadAfterTimeouts: 100, ...given },
    },
    { onFree: () => frees++, onOver: (why) => void over.push(why), onFlood: () => {} },
  );
  onTestFinished(() => {
    session.destroy();
    for (const exchange of made) expect(exchange.ends(), `${exchange.reported}`).toBe(1);
    expect(over).toHaveLength(1);
  });
  await until(() => peer.connections[0]?.of(frameType.settings).length === 1);
  const connection = peer.connections[0] as RawConnection;
  if (first !== null) {
    connection.send(first);
    // With its acknowledgement, which `settled` would else take for its own.
    await until(() => frees > 0 && connection.of(frameType.settings).length > 1);
  }
  return {
    ...{ session, socket, connection, over },
    frees: () => frees,
    request(body?: string, onReport?: (what: string) => void): RecordedExchange {
      expect(session.free()).toBeGreaterThan(0);
      const exchange = makeExchange(body, onReport);
      made.push(exchange);
      session.request(exchange);
      return exchange;
    },
    /** Everything sent before this was read by the client. */
    async settled(): Promise<void> {
      const before = connection.of(frameType.settings).length;
      connection.send(settings());
      await until(() => connection.of(frameType.settings).length > before);
    },
    /** The bodies that came, by stream. */
    bodyOf: (id: number): string =>
      connection
        .of(frameType.data)
        .filter((one) => one.id === id)
        .map(({ payload }) => payload.toString())
        .join(''),
  };
}

/** Our own client alone. */
export const noSecondClient: SecondClient = { isOpen: () => false, onGivenUp: () => {} };

/** A client that records how each message ended. */
export function startClient(ca: string, given: Partial<WorkerOptions> = {}, secondClient?: SecondClient) {
  const client = createPushClient(makeWorkerOptions({ extraCa: ca, ...given }), undefined, secondClient);
  onTestFinished(client.close);
  const reported: string[][] = [];
  return {
    client,
    /** How each message ended, in the order they were posted. */
    reported,
    post(origin: string, onAnswer: () => void = () => {}) {
      const index = reported.push([]) - 1;
      client.post(
        { origin, path: `/${index}`, headers: [], body: Buffer.from('body'), index },
        {
          answered(_, { status: code, failure, text }) {
            reported[index]?.push(code > 0 ? `${code}` : `${failures[failure]} ${text}`);
            onAnswer();
          },
        },
      );
    },
    all: () => until(() => reported.every((one) => one.length > 0)),
  };
}
