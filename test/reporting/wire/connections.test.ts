// tier: unit
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Generated, GenerateReport } from '../../../reporting/generate/generate.ts';
import { WRITE_MS } from '../../../reporting/wire/connection.ts';
import { IDLE_MS, LOG_IN_MS, SPARE, WRONG_PER_MINUTE } from '../../../reporting/wire/server.ts';
import {
  bind,
  execute,
  message,
  packet,
  parse,
  password,
  query,
  type RawClient,
  READY,
  startup,
  sync,
} from './client.ts';
import { holdTime, madeOf, openWire, REPORT, row, TOKEN } from './without-databases.ts';

describe('the bounds of connections', () => {
  it('are in all, and for a token', async () => {
    const { logIn, raw } = await openWire({ connections: 3, connectionsPerToken: 2 });
    const first = await logIn();
    await logIn();
    expect(await raw(startup(), password(TOKEN)).ended()).toContain('too many connections with this token');
    first.socket.write(message('X'));
    await first.ended();
    await logIn();
    const { logIn: another, raw: others } = await openWire({ connections: 1 });
    await another();
    expect(await others(startup()).ended()).toMatch(/C53300·.*too many connections·/);
  });

  it('leave half of them to others, however many users and tokens an organization has', async () => {
    const { logIn, raw, admitted } = await openWire({ connections: 4, connectionsPerToken: 1 });
    const token = (id: number): string => `${id}|${'a'.repeat(43)}`;
    const clients: RawClient[] = [];
    for (const [id, userId] of [
      [1, 7],
      [2, 8],
    ] as const) {
      Object.assign(admitted, { id, userId });
      clients.push(await logIn(token(id)));
    }
    Object.assign(admitted, { id: 3, userId: 7 });
    expect(await raw(startup(), password(token(3))).ended()).toContain('too many connections of your organ');
    Object.assign(admitted, { id: 4, userId: 9 });
    await logIn(token(4));
    clients[0]?.socket.write(message('X'));
    await clients[0]?.ended();
    Object.assign(admitted, { id: 3, userId: 7 });
    await logIn(token(3));
  });

  it('leave nobody out for clients that only connect: of too many, the one that waits longest goes', async () => {
    const { raw, logIn } = await openWire();
    const waiting: RawClient[] = [];
    for (let index = 0; index <= SPARE; index++) {
      const client = raw(packet(80_877_103));
      await client.until(/^N/);
      waiting.push(client);
    }
    expect(await waiting[0]?.ended()).toBe('N');
    expect(waiting.filter(({ socket }) => socket.destroyed)).toHaveLength(1);
    await logIn();
  });

  it('are ten seconds for a log-in, and half an hour without a statement', async () => {
    holdTime();
    const { raw, logIn } = await openWire();
    const half = raw(startup());
    await half.until(/^R/);
    const open_ = await logIn();
    vi.advanceTimersByTime(LOG_IN_MS);
    await half.ended();
    expect(open_.socket.destroyed).toBe(false);
    vi.advanceTimersByTime(IDLE_MS - LOG_IN_MS);
    expect(await open_.ended()).toContain('C57P05');
  });

  it('are wrong passwords of an address in a minute, and the right one still opens', async () => {
    const { raw, logIn } = await openWire();
    const wrong = (): Promise<string> => raw(startup(), password(`9|${'b'.repeat(43)}`)).ended();
    const answers = await Promise.all(Array.from({ length: WRONG_PER_MINUTE }, wrong));
    expect(answers.every((answer) => answer.includes('C28P01'))).toBe(true);
    expect(await wrong()).toContain('C53400');
    expect(await raw(startup(), password('nothing')).ended()).toContain('C53400');
    await logIn();
  });

  it('are those of a process that stops', async () => {
    const { wire, logIn, raw } = await openWire({
      generateReport: (_request, _access, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const [idle, busy, half] = [await logIn(), await logIn(), raw(startup())];
    await half.until(/^R/);
    busy.socket.write(query(REPORT));
    await wait(20);
    holdTime();
    const closing = wire.close();
    expect(await idle.ended()).toContain('C57P01');
    vi.advanceTimersByTime(5_000);
    await closing;
    await Promise.all([busy.ended(), half.ended()]);
  });
});

describe('the bounds of a report', () => {
  it('are its megabytes, permits, and statements in a minute', async () => {
    const large = async (): Promise<Generated> =>
      madeOf(Readable.from(Array.from({ length: 40 }, () => Buffer.from(row.repeat(2_000)))));
    const { ask, admitted, logIn } = await openWire({ generateReport: large });
    expect(await ask(query(REPORT))).toBe('54000');
    const client = await logIn();
    admitted.isWithinRate = false;
    client.socket.write(query(REPORT));
    expect(await client.until(/C53400/)).toContain('more than 3 statements of this user in a minute');
    const never: GenerateReport = (_request, _access, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { ask: second, logIn: logInFirst } = await openWire({ generateReport: never, permits: 1 });
    const first = await logInFirst();
    first.socket.write(query(REPORT));
    await wait(50);
    expect(await second(query(REPORT))).toBe('53000');
  });

  it('are a minute for a client that takes nothing, whose connection and memory are free again', async () => {
    const many = async (): Promise<Generated> =>
      madeOf(Readable.from(Array.from({ length: 200 }, () => Buffer.from(row.repeat(3_000)))));
    const { logIn, exposition } = await openWire({ generateReport: many, answerBytes: 64 * 1_048_576 });
    const client = await logIn();
    client.socket.pause();
    holdTime();
    client.socket.write(query(REPORT));
    await wait(300);
    expect(await exposition()).toMatch(/broadside_report_wire_connections 1/);
    vi.advanceTimersByTime(WRITE_MS);
    vi.useRealTimers();
    await expect.poll(exposition).toMatch(/broadside_report_wire_connections 0/);
  });
});

describe('a token that is revoked', () => {
  it('sees nothing more in a connection that is open', async () => {
    const { admitted, logIn } = await openWire();
    const client = await logIn();
    client.socket.write(query(REPORT));
    await client.until(/a\.example/);
    admitted.isRevoked = true;
    client.socket.write(query(REPORT));
    expect(await client.until(/C28P01/)).toMatch(/the reporting token is wrong or was revoked/);
    expect((await client.until(/C28P01/)).match(/a\.example/g)).toHaveLength(1);
  });
});

describe('a client that does not behave', () => {
  it('cannot cancel what is not its own', async () => {
    const signals: AbortSignal[] = [];
    const never: GenerateReport = (_request, _access, signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const { raw, logIn } = await openWire({ generateReport: never });
    const client = await logIn();
    const greeting = client.bytes();
    const key = greeting.indexOf(Buffer.from([0x4b, 0, 0, 0, 12])) + 5;
    const [pid, secret] = [greeting.readInt32BE(key), greeting.readInt32BE(key + 4)];
    client.socket.write(query(REPORT));
    await expect.poll(() => signals).toHaveLength(1);
    for (const [otherPid, other] of [
      [pid, secret ^ 1],
      [pid, 0],
      [pid + 1, secret],
      [-1, secret],
    ] as const)
      await raw(packet(80_877_102, otherPid, other)).ended();
    expect(signals[0]?.aborted).toBe(false);
    await raw(packet(80_877_102, pid, secret)).ended();
    expect(await client.until(/C57014/)).toContain('canceling statement');
    client.socket.write(query('SELECT 1 AS one'));
    await client.until(/one/);
  });

  it('asks for TLS and GSS, is refused both, and logs in; a third time it is disconnected', async () => {
    const { raw } = await openWire();
    const [tls, gss] = [packet(80_877_103), packet(80_877_104)];
    const client = raw(gss, tls, startup());
    await client.until(/^NNR/);
    client.socket.write(password(TOKEN));
    await client.until(READY);
    expect(await raw(gss, tls, gss, startup()).ended()).toMatch(/^NNN.*a log-in should have come/);
    expect(await raw(packet(2 << 16)).ended()).toContain('protocol 2.0 is not supported');
    const stranger = Buffer.from('\0\x03\0\0user\0reports\0database\0postgres\0\0');
    expect(await raw(message('', stranger)).ended()).toContain('C3D000');
  });

  it('sends 10,000 messages at once, gets each answer, and leaves others their turn', async () => {
    const { logIn } = await openWire();
    const client = await logIn();
    // Each message takes six milliseconds, by this clock.
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 6));
    const turns = vi.spyOn(globalThis, 'setImmediate');
    client.socket.write(Buffer.concat(Array.from({ length: 10_000 }, () => query("SELECT 'x' AS y"))));
    client.socket.write(message('X'));
    const all = await client.ended();
    clock.mockRestore();
    expect(all.match(/SELECT 1·Z····I/g)).toHaveLength(10_000);
    expect(turns.mock.calls.length).toBeGreaterThan(1_000);
    turns.mockRestore();
  }, 60_000);

  it('that skips an error until Sync, and goes on', async () => {
    const { logIn } = await openWire();
    const client = await logIn();
    const skipped = [parse('', 'SELEC'), bind('', ''), execute(''), parse('', 'SELECT 1'), sync];
    client.socket.write(Buffer.concat([...skipped, query('SELECT 2 AS two')]));
    const text = await client.until(/two/);
    expect(text.match(/C42601/g)).toHaveLength(1);
  });
});
