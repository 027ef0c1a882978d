// tier: unit
import { describe, expect, it, onTestFinished } from 'vitest';
import { frameType, MAX_WINDOW, setting } from '../../../engine/worker/http/protocol.ts';
import { pushTransports } from '../support.ts';
import { frame, goAway, headers, reset, settings, startRawPeer, status } from './raw-peer.ts';
import { sleep, startClient, until } from './support.ts';

const start = async (...given: Parameters<typeof startRawPeer>) => {
  const peer = await startRawPeer(...given);
  onTestFinished(peer.close);
  return peer;
};

describe.each(pushTransports)('a push client that is closed, %s', (pushTransport) => {
  it('ends requests in flight on a connection after the peer’s GOAWAY', async () => {
    const peer = await start((connection) => connection.send(settings()));
    const { client, post, reported } = startClient(peer.ca, { pushTransport });
    post(peer.origin);
    await until(() => peer.connections[0]?.of(frameType.data).length === 1);
    peer.connections[0]?.send(goAway(MAX_WINDOW));
    await sleep(30);
    await client.close();
    expect(reported).toEqual([['unknown CONNECTION_CLOSED']]);
    await until(() => peer.connections[0]?.isClosed() === true);
  });

  it('ends requests that wait for an unreachable peer, and those that an answer posts again', async () => {
    const peer = await start();
    const { client, post, reported } = startClient(peer.ca, { pushTransport });
    post(peer.origin, () => post(peer.origin));
    await client.close();
    post(peer.origin);
    expect(reported).toEqual(Array(3).fill(['refused CONNECTION_CLOSED']));
    await sleep(50);
    await until(() => peer.connections.every((connection) => connection.isClosed()));
    expect(client.origins()).toBe(0);
  });

  it('ends requests that wait at an evicted origin', async () => {
    const peer = await start((connection) => connection.send(settings(setting.maxConcurrentStreams, 1)));
    const other = await start((connection) => connection.send(settings()));
    const { client, post, reported } = startClient(peer.ca, {
      pushTransport,
      maxOrigins: 1,
      connectionsPerOrigin: 1,
    });
    post(peer.origin);
    post(peer.origin);
    await until(() => peer.connections[0]?.of(frameType.data).length === 1);
    post(other.origin);
    await client.close();
    await until(() => reported.every((one) => one.length === 1));
    expect(reported[0]).toEqual(['unknown CONNECTION_CLOSED']);
    expect(reported[1]).toEqual(['refused CONNECTION_CLOSED']);
    await until(() => peer.connections[0]?.isClosed() === true);
  });
});

describe.each(pushTransports)('a push client, %s', (pushTransport) => {
  it('fails requests that a peer never takes, and closes its connection where the origin was evicted', async () => {
    const none = settings(setting.maxConcurrentStreams, 0);
    const peer = await start((connection) => connection.send(none));
    const other = await start((connection) => connection.send(settings()));
    const { post, reported } = startClient(peer.ca, {
      pushTransport,
      maxOrigins: 1,
      connectionsPerOrigin: 1,
      answerTimeoutMs: 100,
    });
    post(peer.origin);
    await until(() => peer.connections.length === 1);
    post(other.origin);
    await until(() => reported[0]?.length === 1);
    // undici starts its first message before it has read how many the peer takes, so it cannot know.
    const ending = { own: 'refused NO_FREE_STREAM', undici: 'unknown ANSWER_TIMEOUT' };
    expect(reported[0]).toEqual([ending[pushTransport]]);
    await until(() => peer.connections[0]?.isClosed() === true);
  });

  it('sends requests that the peer never processed over another connection, once', async () => {
    const peer = await start(
      (connection) => connection.send(settings()),
      ({ send }, { type, id }) => {
        if (type !== frameType.headers) return;
        if (peer.connections.length < 4) send(goAway(0));
        else send(headers(id, status(201)));
      },
    );
    const { post, reported, all } = startClient(peer.ca, { pushTransport, connectionsPerOrigin: 1 });
    post(peer.origin);
    await all();
    expect(reported).toEqual([['201']]);
    expect(peer.connections).toHaveLength(4);
  });

  it('goes on where each answer posts the next message, refused ones too', async () => {
    const peer = await start(
      (connection) => connection.send(settings(setting.maxConcurrentStreams, 1)),
      ({ send }, { type, id }) => {
        if (type !== frameType.headers) return;
        send(
          id % 3 === 0 ? reset(id, 7) : headers(id, status(201)),
          frame(frameType.ping, 0, 0, Buffer.alloc(8)),
        );
      },
    );
    const { post, reported, all } = startClient(peer.ca, { pushTransport });
    const chain = (left: number): void => post(peer.origin, () => left > 0 && chain(left - 1));
    for (let at = 0; at < 3; at++) chain(20);
    await until(() => reported.length === 63);
    await all();
    expect(reported.every((one) => one.length === 1)).toBe(true);
  });
});

/** undici writes its first message before the peer has sent its settings, so a connection that fails costs it one. */
describe('a push client of our own', () => {
  it('opens the next connection at once where a further one failed and the last one ends', async () => {
    const one = settings(setting.maxConcurrentStreams, 1);
    const peer = await start(({ socket, send }) => {
      if (peer.connections.length === 2) socket.destroy();
      else send(one);
    });
    const { post, reported, all } = startClient(peer.ca, {
      connectionsPerOrigin: 2,
      answerTimeoutMs: 300,
    });
    post(peer.origin);
    await until(() => peer.connections[0]?.of(frameType.data).length === 1);
    post(peer.origin);
    await until(() => peer.connections[1]?.isClosed() === true);
    await sleep(50);
    peer.connections[0]?.socket.destroy();
    await until(() => peer.connections[2]?.of(frameType.data).length === 1);
    peer.connections[2]?.send(headers(1, status(201)));
    await all();
    expect(reported).toEqual([['unknown CONNECTION_CLOSED'], ['201']]);
  });
});
