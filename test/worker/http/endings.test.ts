// tier: unit
import { describe, expect, it } from 'vitest';
import { frameType, setting } from '../../../engine/worker/http/protocol.ts';
import {
  data,
  goAway,
  headers,
  type RawConnection,
  reset,
  settings,
  status,
  windowUpdate,
} from './raw-peer.ts';
import { sleep, startSession, until } from './support.ts';

/** Each way in which an exchange gets a callback, with two more requests in flight. */
const moments: Readonly<Record<string, readonly Buffer[]>> = {
  'the status of an answer that is over': [headers(1, status(201))],
  'the status of an answer that goes on': [headers(1, status(400), false), data(1, 'why')],
  'the last piece of a body': [headers(1, status(400), false), data(1, 'x'.repeat(100))],
  'a piece of a body that is too long': [
    headers(1, status(400), false),
    ...Array<Buffer>(6).fill(data(1, 'x'.repeat(4_000), false)),
  ],
  'a refused stream': [reset(1, 7)],
  'a broken stream': [reset(1, 2)],
  'data before the status': [data(1, 'x')],
  'a wrong window': [windowUpdate(1, 0)],
  'a goodbye to all': [goAway(0)],
  'a goodbye to some': [goAway(1), headers(1, status(201))],
  'a broken connection': [windowUpdate(0, 0)],
  'a wrong status': [headers(1, status('x'))],
};

describe('the end of a request', () => {
  for (const act of ['destroy', 'close'] as const) {
    it.each(Object.entries(moments))(
      `ends once where %s makes the listener ${act} the session`,
      async (_, bytes) => {
        const { session, connection, request } = await startSession({ answerTimeoutMs: 100 });
        const onReport = () => session[act]();
        const exchanges = [request('a', onReport), request('b', onReport), request('c', onReport)];
        connection.send(...bytes, data(1, 'late'), reset(3, 7), goAway(0));
        await until(() => exchanges.every((one) => one.ends() > 0) && connection.isClosed());
        await sleep(150);
        expect(exchanges.map((one) => one.ends())).toEqual([1, 1, 1]);
      },
    );
  }

  it('ends once where a timeout makes the listener destroy the session', async () => {
    const { session, request, over } = await startSession({ answerTimeoutMs: 40 });
    const exchanges = [1, 2, 3].map(() => request('x', () => session.destroy()));
    await until(() => over.length > 0);
    expect(exchanges.map((one) => one.reported.join())).toEqual([
      'unknown ANSWER_TIMEOUT',
      ...['unknown CONNECTION_CLOSED', 'unknown CONNECTION_CLOSED'],
    ]);
  });

  it('ends once where requests follow one another in callbacks, with one timer for all', async () => {
    const { request, settled } = await startSession({ answerTimeoutMs: 30 });
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const again = (left: number): void =>
      void request('x', (what) => what.startsWith('unknown') && left > 0 && again(left - 1));
    for (let at = 0; at < 5; at++) {
      again(8);
      await sleep(4);
    }
    await sleep(120);
    expect(timers() - before).toBeLessThanOrEqual(2);
    await sleep(400);
    await settled();
  });

  it('closes a session after several timeouts in a row', async () => {
    const { connection, request, over } = await startSession({ answerTimeoutMs: 60, deadAfterTimeouts: 3 });
    const exchanges = [request(), request()];
    await until(() => exchanges.every((one) => one.ends() > 0));
    expect(over).toEqual([]);
    const answered = request();
    connection.send(headers(5, status(201)));
    await until(() => answered.ends() > 0);
    const more = [request(), request()];
    await until(() => more.every((one) => one.ends() > 0));
    expect(over).toEqual([]);
    request();
    await until(() => over.length > 0);
    expect(over).toEqual(['NO_ANSWERS']);
    expect(
      connection
        .of(frameType.resetStream)
        .map(({ id }) => id)
        .slice(0, 4),
    ).toEqual([1, 3, 7, 9]);
  });

  it.each([
    ['ends its half', ({ socket }: RawConnection) => socket.end()],
    ['resets the socket', ({ tcp }: RawConnection) => tcp.resetAndDestroy()],
    ['destroys the socket', ({ socket }: RawConnection) => socket.destroy()],
  ])('is unknown where the peer %s, and refused where a part of the body stayed here', async (_, act) => {
    const { connection, request, socket } = await startSession({}, settings(setting.initialWindowSize, 2));
    const exchanges = [request('body'), request('ok')];
    await until(() => connection.of(frameType.data).length === 2);
    act(connection);
    await until(() => exchanges.every((one) => one.ends() > 0));
    const why = '(CONNECTION_CLOSED|ECONNRESET|EPIPE)';
    expect(exchanges[0]?.reported.join()).toMatch(new RegExp(`^refused ${why}$`));
    expect(exchanges[1]?.reported.join()).toMatch(new RegExp(`^unknown ${why}$`));
    await until(() => socket.destroyed);
  });

  it('takes no more after close, waits for requests in flight, and then sends GOAWAY', async () => {
    const { session, connection, request, over } = await startSession();
    const exchange = request();
    session.close();
    session.close();
    expect(session.free()).toBe(0);
    expect(over).toEqual(['CONNECTION_CLOSED']);
    await until(() => connection.of(frameType.data).length === 1);
    connection.send(headers(1, status(201)));
    await until(connection.isClosed);
    expect(exchange.reported).toEqual(['201', 'end']);
    expect(connection.of(frameType.goAway)).toHaveLength(1);
  });
});
