// tier: unit
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { eachStep } from '../../../engine/contract/concurrency/each-step.ts';
import { logFailure } from '../../../engine/kit/roles/log-failure.ts';
import { createManualClock } from '../../support/manual-clock.ts';

function createLines(level: 'debug' | 'warn' = 'warn') {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, logger: createLogger({ level, role: 'up', destination }) };
}
const away = () => new Error('timeout exceeded when trying to connect');

describe('a failure of work that is tried again', () => {
  it('is one line without a stack where twenty loops wait for one Postgres', () => {
    const { lines, logger } = createLines();
    const clock = createManualClock();
    for (let loop = 0; loop < 20; loop++) logFailure(logger, away(), `loop ${loop} waits`, { clock });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'warn',
      msg: 'loop 0 waits',
      reason: 'timeout exceeded when trying to connect',
    });
    expect(JSON.stringify(lines)).not.toMatch(/stack|at .*\.ts/);
  });

  it('is said again while the outage lasts, and of another cause at once', async () => {
    const { lines, logger } = createLines();
    const clock = createManualClock();
    logFailure(logger, away(), 'campaigns wait', { clock });
    logFailure(logger, Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'feeds wait', {
      clock,
    });
    await clock.advance(10_000);
    logFailure(logger, away(), 'campaigns wait', { clock });
    expect(lines.map(({ msg }) => msg)).toEqual(['campaigns wait', 'feeds wait', 'campaigns wait']);
  });

  it('names what waits beside the first at the level debug', () => {
    const { lines, logger } = createLines('debug');
    const clock = createManualClock();
    for (const what of ['campaigns', 'feeds']) logFailure(logger, away(), `${what} wait`, { clock });
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', 'campaigns wait'],
      ['debug', 'feeds wait'],
    ]);
  });

  it('has its stack, each time, where it is a bug', () => {
    const { lines, logger } = createLines();
    for (let time = 0; time < 2; time++)
      logFailure(logger, new TypeError('x is not a function'), 'feeds wait');
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines[0])).toContain('log-failure.test.ts');
  });

  it('has a line for each of several steps, for the first five of many, and says how many failed', async () => {
    const { lines, logger } = createLines();
    const failing = (error: Error) => () => Promise.reject(error);
    const fine = async () => 2;
    const broken = Array.from({ length: 7 }, (_, n) => failing(new TypeError(`bug ${n}`)));
    const error = await eachStep([failing(away()), fine, ...broken]).catch((caught: unknown) => caught);
    logFailure(logger, error, 'days wait', { fields: { app: 7 } });
    expect(lines.map(({ reason, err }) => reason ?? (err as Error).message)).toEqual([
      away().message,
      ...[0, 1, 2, 3].map((n) => `bug ${n}`),
    ]);
    for (const line of lines)
      expect(line).toMatchObject({ msg: 'days wait', app: 7, failures: '8 of 9 steps failed' });
    // Many alike hide no other, and steps within steps are as good as theirs.
    const alike = Array.from({ length: 9 }, () => failing(new TypeError('the same')));
    const inner = () => eachStep([...alike, failing(new RangeError('inside'))]);
    const both = await eachStep([...alike, inner, failing(away())]).catch((caught: unknown) => caught);
    const other = createLines();
    logFailure(other.logger, both, 'days wait');
    expect(other.lines.map(({ reason, err }) => reason ?? (err as Error).message)).toEqual([
      'the same',
      'inside',
      away().message,
    ]);
    expect(other.lines[0]).toMatchObject({ failures: '11 of 11 steps failed' });
    // One that failed alone is thrown as it is.
    await expect(eachStep([fine, failing(new TypeError('alone'))])).rejects.toThrow(TypeError);
    expect(await eachStep([fine, fine])).toBe(4);
  });

  it('is written so by everything that is tried in a loop', () => {
    const root = join(import.meta.dirname, '../../..');
    const files = globSync('{engine,api,reporting}/**/*.ts', { cwd: root });
    const looping = files.filter((file) =>
      /onError(?:: | = )\(error/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(looping.length).toBeGreaterThan(4);
    for (const file of looping)
      expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(
        /onError(?:: | = )\(error[^)]*\)(?:: void)? =>\s*(?:deps\.)?logger\.\w+\(\s*\{ err/,
      );
  });
});
