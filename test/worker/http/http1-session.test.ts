// tier: unit
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect, createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttp1Session } from '../../../engine/worker/http/http1-session.ts';
import { certificate, pushTransports } from '../support.ts';
import { makeExchange, sleep, startClient, until } from './support.ts';

async function startOld(listener: RequestListener) {
  const { private: key, cert } = await certificate;
  let connections = 0;
  const server = createHttpsServer({ key, cert }, listener);
  server.on('secureConnection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    ...{ server, ca: cert, origin: `https://localhost:${(server.address() as AddressInfo).port}` },
    connections: () => connections,
  };
}

describe.each(pushTransports)('a push client and HTTP/1.1, %s', (pushTransport) => {
  it('loses no message to a peer that closes after each answer, nor gives it one that comes too late', async () => {
    const paths: (string | undefined)[] = [];
    const old = await startOld((request, response) => {
      paths.push(request.url);
      request.resume();
      request.on('end', () => response.writeHead(201, { connection: 'close' }).end());
    });
    const { post, reported, all } = startClient(old.ca, { pushTransport, connectionsPerOrigin: 1 });
    for (let at = 0; at < 20; at++) post(old.origin);
    await all();
    expect(reported).toEqual(Array(20).fill(['201']));
    // One that was given to a connection at its end would have gone to the end of the queue.
    expect(paths).toEqual(reported.map((_, at) => `/${at}`));
    expect(old.connections()).toBe(20);
  });

  it('loses no message to a peer that closes after each answer without announcing it', async () => {
    const { private: key, cert } = await certificate;
    const server = createTlsServer({ key, cert }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        if (bytes.includes('body')) socket.write('HTTP/1.0 201 Created\r\nContent-Length: 0\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { post, reported, all } = startClient(cert, { pushTransport, connectionsPerOrigin: 1 });
    for (let at = 0; at < 20; at++) post(`https://localhost:${(server.address() as AddressInfo).port}`);
    await all();
    expect(reported).toEqual(Array(20).fill(['201']));
  });

  it('loses no message to a peer that closes without notice between two', async () => {
    const old = await startOld((request, response) => {
      request.resume();
      request.on('end', () => {
        response.writeHead(201).end();
        setImmediate(() => request.socket.destroy());
      });
    });
    const { post, reported, all } = startClient(old.ca, { pushTransport, connectionsPerOrigin: 1 });
    for (let at = 0; at < 5; at++) {
      post(old.origin);
      await all();
      await sleep(20);
    }
    expect(reported).toEqual(Array(5).fill(['201']));
    expect(old.connections()).toBe(5);
  });
});

/** A session over HTTP/1.1, and the reasons it gave for its end. */
async function startSession(listener: RequestListener) {
  const old = await startOld(listener);
  const { hostname, port } = new URL(old.origin);
  const socket = connect({ host: '127.0.0.1', port: Number(port), servername: hostname, ca: old.ca });
  await new Promise<void>((resolve) => socket.once('secureConnect', resolve));
  const over: string[] = [];
  const events = { onFree() {}, onOver: (why: string) => void over.push(why), onFlood() {} };
  const session = createHttp1Session(socket, { origin: old.origin, answerTimeoutMs: 5_000 }, events);
  onTestFinished(session.destroy);
  return { ...old, session, socket, over };
}

describe('an HTTP/1.1 session', () => {
  it.each(['close', 'destroy'] as const)('lets go of a socket that carried nothing, at %s', async (act) => {
    const { session, socket, over } = await startSession(() => {});
    session[act]();
    expect(session.free()).toBe(0);
    await until(() => socket.destroyed);
    session.close();
    session.destroy();
    expect(over).toHaveLength(1);
  });

  it('notices that the peer ended it before it carried anything', async () => {
    const { server, session, over } = await startSession(() => {});
    await sleep(20);
    server.closeAllConnections();
    await until(() => over.length > 0);
    expect(session.free()).toBe(0);
  });

  it.each(['answers', 'breaks'] as const)('reports one end where the peer %s', async (what) => {
    const { session, over } = await startSession((request, response) => {
      if (what === 'answers') response.writeHead(201).end();
      else request.socket.destroy();
    });
    const exchange = makeExchange();
    session.request(exchange);
    expect(session.free()).toBe(0);
    await until(() => exchange.ends() > 0);
    session.destroy();
    await sleep(20);
    expect(exchange.ends()).toBe(1);
    expect(exchange.reported[0]).toMatch(what === 'answers' ? /^201$/ : /^unknown /);
    expect(over).toHaveLength(1);
  });
});
