// tier: unit
import { constants, type ServerHttp2Stream } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { failures } from '../../engine/contract/outcome.ts';
import type { WorkerOptions } from '../../engine/worker/protocol.ts';
import { MAX_REASON_BYTES } from '../../engine/worker/push-answer.ts';
import type { PushClient } from '../../engine/worker/push-client.ts';
import { createPushClient } from '../../engine/worker/transports.ts';
import { failureNames, post, statusesOf } from './post.ts';
import {
  accept,
  answerWith,
  type LittlePushService,
  makeWorkerOptions,
  neverAnswer,
  pushTransports,
  startLittlePushService,
} from './support.ts';
import { startWire } from './wire.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(given: Parameters<typeof startLittlePushService>[0] = {}): Promise<LittlePushService> {
  const service = await startLittlePushService(given);
  closers.push(service.close);
  return service;
}

describe.each(pushTransports)('the push client, %s', (pushTransport) => {
  function clientFor(ca: string | null, given: Partial<WorkerOptions> = {}): PushClient {
    const client = createPushClient(makeWorkerOptions({ pushTransport, extraCa: ca, ...given }));
    closers.push(client.close);
    return client;
  }

  it('carries 2,000 messages over few sockets, each body to its own path', async () => {
    const service = await start();
    const answers = await post(clientFor(service.ca), service.origin, 2_000);
    expect(statusesOf(answers)).toEqual([201]);
    expect(service.sessions.length).toBeLessThanOrEqual(2);
    expect(service.received).toHaveLength(2_000);
    for (const { path, body } of service.received) {
      expect(path).toBe(`/push/${body.toString().split(' ')[1]}`);
    }
  });

  it('sends the headers as given, with the length and nothing of a browser', async () => {
    const service = await start();
    await post(clientFor(service.ca), service.origin, 1);
    const headers = service.received[0]?.headers ?? {};
    expect(Object.fromEntries(Object.entries(headers))).toEqual({
      ':authority': `localhost:${service.port}`,
      ':method': 'POST',
      ':path': '/push/0',
      ':scheme': 'https',
      ttl: '60',
      'content-length': '6',
    });
  });

  it('keeps to a peer that allows ten streams', async () => {
    const service = await start({ settings: { maxConcurrentStreams: 10 } });
    const answers = await post(clientFor(service.ca, { connectionsPerOrigin: 1 }), service.origin, 200);
    expect(statusesOf(answers)).toEqual([201]);
    expect(service.peakStreams()).toBeLessThanOrEqual(10);
    expect(service.sessions).toHaveLength(1);
  });

  it('opens a further connection only when the ones there are full', async () => {
    const service = await start();
    const client = clientFor(service.ca, { connectionsPerOrigin: 3, streamsPerConnection: 5 });
    await post(client, service.origin, 1);
    await post(client, service.origin, 5);
    expect(service.sessions).toHaveLength(1);
    for (let burst = 0; burst < 3; burst++) await post(client, service.origin, 100);
    expect(service.sessions).toHaveLength(3);
  });

  it('loses nothing when the peer sends GOAWAY in mid-burst', async () => {
    let seen = 0;
    const service = await start({
      reply: (stream, received, session) => {
        seen++;
        if (seen % 50 === 0) session.close();
        accept(stream, received, session);
      },
    });
    const answers = await post(clientFor(service.ca), service.origin, 400);
    expect(statusesOf(answers)).toEqual([201]);
    expect(new Set(service.received.map(({ path }) => path)).size).toBe(400);
    expect(service.received).toHaveLength(400);
    expect(service.sessions.length).toBeGreaterThan(2);
  });

  it('sends refused streams again a few times, and then reports them as refused', async () => {
    const refuse = (stream: ServerHttp2Stream) => {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return false;
    };
    let refusals = 0;
    const refusing = await start({ onStream: (stream) => refusals++ >= 5 * 20 || refuse(stream) });
    expect(statusesOf(await post(clientFor(refusing.ca), refusing.origin, 20))).toEqual([201]);
    expect(refusing.received).toHaveLength(20);

    const alwaysRefusing = await start({ onStream: refuse });
    const answers = await post(clientFor(alwaysRefusing.ca), alwaysRefusing.origin, 20);
    expect(statusesOf(answers)).toEqual([0]);
    expect(failureNames(answers)).toEqual(['refused']);
  });

  it('calls a reset after the body unknown: the message may be on its way', async () => {
    const service = await start({ reply: (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR) });
    const answers = await post(clientFor(service.ca), service.origin, 10);
    expect(statusesOf(answers)).toEqual([0]);
    expect(failureNames(answers)).toEqual(['unknown']);
    expect(service.received).toHaveLength(10); // and never sends it again by itself
  });

  it('calls messages unknown whose connection broke under them, and goes on with another one', async () => {
    let broken = false;
    const service = await start({
      reply: (stream, received, session) => {
        if (broken) return accept(stream, received, session);
        if (service.received.length === 10) {
          broken = true;
          session.destroy();
        }
      },
    });
    const client = clientFor(service.ca);
    expect(failureNames(await post(client, service.origin, 10))).toEqual(['unknown']);
    expect(statusesOf(await post(client, service.origin, 10))).toEqual([201]);
    expect(service.received).toHaveLength(20);
  });

  it('calls messages refused that never found a listener, a certificate or a name', async () => {
    const service = await start();
    const untrusting = await post(clientFor(null), service.origin, 3);
    expect(failureNames(untrusting)).toEqual(['refused']);
    expect(untrusting[0]?.text).toMatch(/CERT|SELF_SIGNED|UNABLE/);

    const { ca, origin } = service;
    await service.close();
    const unheard = await post(clientFor(ca), origin, 3);
    expect(failureNames(unheard)).toEqual(['refused']);
    expect(unheard.map(({ text }) => text)).toEqual(Array(3).fill('ECONNREFUSED'));
    const nameless = await post(clientFor(ca), 'https://push.invalid', 1);
    expect(failureNames(nameless)).toEqual(['refused']);
  });

  it('times out an answer, and closes a session after several in a row', async () => {
    let hanging = true;
    const service = await start({ reply: (...given) => (hanging ? neverAnswer : accept)(...given) });
    const given = { answerTimeoutMs: 200, deadSessionAfterTimeouts: 3, streamsPerConnection: 3 };
    const client = clientFor(service.ca, { ...given, connectionsPerOrigin: 1 });
    const answers = await post(client, service.origin, 2);
    expect(failureNames(answers)).toEqual(['unknown']);
    expect(answers[0]?.text).toBe('ANSWER_TIMEOUT');
    expect(answers[0]?.latencyMs).toBeGreaterThanOrEqual(190);
    expect(service.sessions[0]?.destroyed).toBe(false); // two in a row: not yet
    await post(client, service.origin, 1);
    hanging = false;
    expect(statusesOf(await post(client, service.origin, 2))).toEqual([201]);
    expect(service.sessions).toHaveLength(2);
    expect(service.sessions[0]?.destroyed).toBe(true);
  });

  it('sends messages that waited for a dead session over a new one', async () => {
    const service = await start({
      reply: (stream, received, session) => {
        if (session !== service.sessions[0]) accept(stream, received, session);
      },
    });
    const given = { answerTimeoutMs: 200, streamsPerConnection: 4, connectionsPerOrigin: 1 };
    const answers = await post(clientFor(service.ca, given), service.origin, 20);
    const unknown = answers.filter(({ status }) => status === 0);
    expect(failureNames(unknown)).toEqual(['unknown']);
    // Four at once, and those that took a free place before the third time-out in a row.
    expect(unknown.length).toBeLessThan(10);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20 - unknown.length);
  });

  it('destroys a half-open session, whose peer is silently gone', async () => {
    const service = await start();
    const wire = await startWire(service.port);
    closers.push(wire.close);
    const given = { answerTimeoutMs: 200, connectionsPerOrigin: 1 };
    const client = clientFor(service.ca, given);
    const origin = `https://localhost:${wire.port}`;
    expect(statusesOf(await post(client, origin, 5))).toEqual([201]);
    wire.cutSilently();
    expect(failureNames(await post(client, origin, 5))).toEqual(['unknown']);
    expect(statusesOf(await post(client, origin, 5))).toEqual([201]);
    expect(wire.connections()).toBe(2);
  });

  it('keeps the status, the Retry-After and the beginning of a refusal', async () => {
    const long = 'x'.repeat(5_000);
    const service = await start({ reply: answerWith(429, long, { 'retry-after': '17' }) });
    const [answer] = await post(clientFor(service.ca), service.origin, 1);
    expect(answer).toMatchObject({ status: 429, retryAfter: '17', text: 'x'.repeat(MAX_REASON_BYTES) });
    expect(failures[answer?.failure ?? 0]).toBe('answered');
  });

  it('follows no redirect', async () => {
    const service = await start({ reply: answerWith(307, '', { location: '/elsewhere' }) });
    expect(statusesOf(await post(clientFor(service.ca), service.origin, 1))).toEqual([307]);
    expect(service.received).toHaveLength(1);
  });

  it('counts a refusal as answered whose body never ends or breaks off', async () => {
    const service = await start({
      reply: (stream) => {
        stream.respond({ ':status': 403 });
        if (stream.id === 1) stream.write('half a rea');
        else setTimeout(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR), 50);
      },
    });
    const answers = await post(clientFor(service.ca, { answerTimeoutMs: 300 }), service.origin, 2);
    expect(statusesOf(answers)).toEqual([403]);
    expect(failureNames(answers)).toEqual(['answered']);
    expect(answers[0]?.text).toBe('half a rea');
  });

  it('drops interim answers', async () => {
    const service = await start({
      reply: (stream, ...rest) => {
        stream.additionalHeaders({ ':status': 103 });
        accept(stream, ...rest);
      },
    });
    expect(statusesOf(await post(clientFor(service.ca), service.origin, 1))).toEqual([201]);
  });

  it('speaks HTTP/1.1 with a push service that knows nothing newer', async () => {
    const service = await start();
    const { key, cert } = service.pem;
    const old = createHttpsServer({ key, cert }, (request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(201).end());
    });
    await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => old.close(() => resolve()) && old.closeAllConnections()));
    const origin = `https://localhost:${(old.address() as AddressInfo).port}`;
    expect(statusesOf(await post(clientFor(service.ca), origin, 20))).toEqual([201]);
  });

  it('keeps connections to a bounded number of origins, and closes the one used least recently', async () => {
    const services = [await start(), await start(), await start()] as const;
    const client = clientFor(services[0].ca, { maxOrigins: 2 });
    for (const at of [0, 1, 0, 2, 0] as const) await post(client, services[at].origin, 1);
    expect(client.origins()).toBe(2);
    expect(services.map(({ sessions }) => sessions.length)).toEqual([1, 1, 1]);
    await post(client, services[1].origin, 1);
    expect(services[1].sessions).toHaveLength(2);
  });

  it('never connects to an address that is not public, unless any host is allowed', async () => {
    const service = await start();
    const client = clientFor(service.ca, { allowAnyEndpointHost: false });
    const hosts = ['localhost', '127.0.0.1', '127.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]'];
    for (const host of hosts) {
      const { origin } = new URL(`https://${host}:${service.port}`);
      const [answer] = await post(client, origin, 1);
      expect(answer?.text, host).toBe('ADDRESS_NOT_PUBLIC');
      expect(failures[answer?.failure ?? 0]).toBe('refused');
    }
    expect(service.sessions).toHaveLength(0);
  });
});
