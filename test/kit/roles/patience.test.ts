// tier: unit
import { describe, expect, it } from 'vitest';
import { KafkaRefused } from '../../../engine/adapters/kafka/refusals.ts';
import { isAway, openPatiently } from '../../../engine/kit/roles/patience.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const coded = (code: string, message = 'no'): Error => Object.assign(new Error(message), { code });
const named = (name: string): Error => Object.assign(new Error('no'), { name });
const about = (cause: unknown): Error => new Error('it does not answer', { cause });
class ClickHouseError extends Error {
  readonly code: string;
  constructor(code: number) {
    super('no');
    this.code = String(code);
  }
}

function patient() {
  const clock = createManualClock();
  const said: string[] = [];
  const stop = new AbortController();
  const logger = {
    warn: (_fields: object, text: string) => void said.push(text),
    info: (_fields: object, text: string) => void said.push(text),
  };
  const open = (work: () => Promise<string>) =>
    openPatiently('Postgres', work, { logger, clock, signal: stop.signal });
  return { clock, said, stop, open };
}

describe('a start that waits', () => {
  it('tries again with growing pauses, bounded, a line for each, until it is there', async () => {
    const { clock, said, open } = patient();
    const startedAt = clock.now();
    const triedAt: number[] = [];
    const opening = open(async () => {
      triedAt.push(clock.now() - startedAt);
      if (triedAt.length < 9) throw coded('ECONNREFUSED');
      return 'here';
    });
    for (let step = 0; step < 9; step++) {
      await new Promise(setImmediate);
      clock.advanceToNext();
    }
    expect(await opening).toBe('here');
    expect(triedAt).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 15_750, 25_750, 35_750]);
    expect(said).toHaveLength(9);
    expect(clock.pending()).toBe(0);
  });

  it('ends at once where waiting would not help', async () => {
    const { said, open } = patient();
    await expect(open(() => Promise.reject(coded('28P01', 'wrong password')))).rejects.toThrow(
      'wrong password',
    );
    expect(said).toEqual([]);
  });

  it('stops at once on a signal, in a pause and in an attempt that hangs', async () => {
    for (const work of [() => Promise.reject(coded('ECONNREFUSED')), () => new Promise<string>(() => {})]) {
      const { clock, stop, open } = patient();
      const opening = open(work);
      await new Promise(setImmediate);
      stop.abort();
      await expect(opening).rejects.toThrow('aborted');
      expect(clock.pending()).toBe(0);
    }
  });
});

describe('outages and wrong settings', () => {
  it.each([
    ['a connection that is refused', coded('ECONNREFUSED')],
    ['a connection that is cut', coded('ECONNRESET', 'socket hang up')],
    ['a Postgres that starts', coded('57P03')],
    ['a Postgres that is full', coded('53300')],
    ['a Postgres that is silent', new Error('timeout exceeded when trying to connect')],
    ['the Postgres beneath the log', about(coded('ECONNREFUSED'))],
    ['a host with several addresses', new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')])],
    ['a broker', about(named('KafkaJSNumberOfRetriesExceeded'))],
    ['a broker that is silent', about(new Error('Kafka: creating topics took longer than 10000 ms'))],
    ['a ClickHouse that is full', new ClickHouseError(243)],
    ['a ClickHouse that is silent', new Error('Timeout error.')],
  ])('away: %s', (_, error) => {
    expect(isAway(error)).toBe(true);
  });

  it.each([
    ['a host that does not exist', coded('ENOTFOUND')],
    [
      'a broker’s host that does not exist',
      about(Object.assign(named('KafkaJSConnectionError'), { code: 'ENOTFOUND' })),
    ],
    ['a password', coded('28P01')],
    ['a database that does not exist', coded('3D000')],
    ['a password of Kafka', about(new KafkaRefused({ kind: 'refused', line: 'a wrong password' }, null))],
    ['a password of ClickHouse', new ClickHouseError(516)],
    ['a newer schema', new Error('the database was written by a newer Broadside')],
    ['no error at all', 'away'],
  ])('wrong: %s', (_, error) => {
    expect(isAway(error)).toBe(false);
  });
});
