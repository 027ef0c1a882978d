import { describe, expect, it, onTestFinished } from 'vitest';
import { frameType, MAX_WINDOW, setting } from '../../../engine/worker/http/protocol.ts';
import { frame, goAway, headers, reset, settings, startRawPeer, status } from './raw-peer.ts';
import { sleep, startClient, until } from './support.ts';

const start = async (...given: Parameters<typeof startRawPeer>) => {
  const peer = await startRawPeer(...given);
  onTestFinished(peer.close);
  return peer;
};

describe('a push client that is closed', () => {
  it('ends what is in flight on a connection that the peer said goodbye to', async () => {
    const peer = await start((connection) => connection.send(settings()));
    const { client, post, told } = startClient(peer.ca);
    post(peer.origin);
    await until(() => peer.connections[0]?.of(frameType.data).length === 1);
    peer.connections[0]?.send(goAway(MAX_WINDOW));
    await sleep(30);
    await client.close();
    expect(told).toEqual([['unknown CONNECTION_CLOSED']]);
    await until(() => peer.connections[0]?.isClosed() === true);
  });

  it('ends what waits for a peer that is not there yet, and what an answer posts again', async () => {
    const peer = await start();
    const { client, post, told } = startClient(peer.ca);
    post(peer.origin, () => post(peer.origin));
    await client.close();
    post(peer.origin);
    expect(told).toEqual(Array(3).fill(['refused CONNECTION_CLOSED']));
    await sleep(50);
    await until(() => peer.connections.every((connection) => connection.isClosed()));
    expect(client.origins()).toBe(0);
  });

  it('ends what waits at an origin that had to make room for another', async () => {
    const peer = await start((connection) => connection.send(settings(setting.maxConcurrentStreams, 1)));
    const other = await start((connection) => connection.send(settings()));
    const { client, post, told } = startClient(peer.ca, { maxOrigins: 1, connectionsPerOrigin: 1 });
    post(peer.origin);
    post(peer.origin);
    await until(() => peer.connections[0]?.of(frameType.data).length === 1);
    post(other.origin);
    await client.close();
    await until(() => told.every((one) => one.length === 1));
    expect(told[0]).toEqual(['unknown CONNECTION_CLOSED']);
    expect(told[1]).toEqual(['refused CONNECTION_CLOSED']);
    await until(() => peer.connections[0]?.isClosed() === true);
  });
});

describe('a push client', () => {
  it('gives up what a peer never takes, and closes its connection where the origin made room', async () => {
    const none = settings(setting.maxConcurrentStreams, 0);
    const peer = await start((connection) => connection.send(none));
    const other = await start((connection) => connection.send(settings()));
    const { post, told } = startClient(peer.ca, {
      maxOrigins: 1,
      connectionsPerOrigin: 1,
      answerTimeoutMs: 100,
    });
    post(peer.origin);
    await until(() => peer.connections.length === 1);
    post(other.origin);
    await until(() => told[0]?.length === 1);
    expect(told[0]).toEqual(['refused NO_FREE_STREAM']);
    await until(() => peer.connections[0]?.isClosed() === true);
  });

  it('sends what the peer denies having seen over another connection, once', async () => {
    const peer = await start(
      (connection) => connection.send(settings()),
      ({ send }, { type, id }) => {
        if (type !== frameType.headers) return;
        if (peer.connections.length < 4) send(goAway(0));
        else send(headers(id, status(201)));
      },
    );
    const { post, told, all } = startClient(peer.ca, { connectionsPerOrigin: 1 });
    post(peer.origin);
    await all();
    expect(told).toEqual([['201']]);
    expect(peer.connections).toHaveLength(4);
  });

  it('opens the next connection at once where a further one failed and the last one ends', async () => {
    const one = settings(setting.maxConcurrentStreams, 1);
    const peer = await start(({ socket, send }) => {
      if (peer.connections.length === 2) socket.destroy();
      else send(one);
    });
    const { post, told, all } = startClient(peer.ca, { connectionsPerOrigin: 2, answerTimeoutMs: 300 });
    post(peer.origin);
    await until(() => peer.connections[0]?.of(frameType.data).length === 1);
    post(peer.origin);
    await until(() => peer.connections[1]?.isClosed() === true);
    await sleep(50);
    peer.connections[0]?.socket.destroy();
    await until(() => peer.connections[2]?.of(frameType.data).length === 1);
    peer.connections[2]?.send(headers(1, status(201)));
    await all();
    expect(told).toEqual([['unknown CONNECTION_CLOSED'], ['201']]);
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
    const { post, told, all } = startClient(peer.ca);
    const chain = (left: number): void => post(peer.origin, () => left > 0 && chain(left - 1));
    for (let at = 0; at < 3; at++) chain(20);
    await until(() => told.length === 63);
    await all();
    expect(told.every((one) => one.length === 1)).toBe(true);
  });
});
