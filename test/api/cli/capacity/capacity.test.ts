// tier: unit
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCliHere } from '../../../support/run-cli-here.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const run = (...args: string[]) => runCliHere(['capacity', ...args], { cwd: root, env: {} });

describe('broadside capacity', () => {
  it('answers without settings and servers', async () => {
    const { code, out, err } = await run('--readers', '5M', '--minutes', '5');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^engines +\d+ of 4 cores \(openssl\)/m);
    expect(out).toMatch(/^Breaks first: .+, at .+% of what it can do\. Then: .+\.$/m);
    expect(out).toMatch(/^Measured on \d{4}-\d\d-\d\d on .+\.$/m);
  });

  it('answers a program, with the costs that it computed from', async () => {
    const { out } = await run('--readers', '250k', '--seconds', '30', '--json');
    const answer = JSON.parse(out);
    expect(answer.question).toMatchObject({ readers: 250_000, seconds: 30, encryption: 'openssl' });
    expect(answer.engines.count).toBe(2);
    expect(answer.costs.date).toMatch(/^\d{4}-/);
  });

  it('says how long it takes where a push service takes less than is asked for', async () => {
    const { out } = await run('--readers', '1M', '--minutes', '1', '--push-service', 'fcm=80%,2000');
    expect(out).toContain('Breaks first: what fcm takes');
    expect(out).toMatch(/^So this takes about 40\d s\.$/m);
  });

  it.each([
    [['--readers', '5M'], 'the time is missing: add --minutes 5, or --seconds 30'],
    [['--minutes', '5'], 'the number of readers is missing: add --readers 5M'],
    [['--readers', '5M', '--minutes', '5', '--seconds', '9'], 'not as both'],
    [['--readers', '0', '--minutes', '5'], 'must be a number of readers'],
    [['--readers', '5G', '--minutes', '5'], 'must be a number of readers'],
    [['--readers', '9000M', '--minutes', '5'], 'must be a number of readers'],
    [['--readers', '5M', '--minutes', '0'], 'must be a whole number from 1 to 1,440'],
    [['--readers', '5M', '--minutes', '5', '--push-service', 'fcm=80,2'], 'such as fcm=80%,20000'],
    [['--readers', '5M', '--minutes', '5', '--push-service', 'gcm=80%,2'], 'such as fcm=80%,20000'],
    [['--readers', '5M', '--minutes', '5', '--push-service', 'fcm=0%,2'], 'such as fcm=80%,20000'],
    [['--push-service', 'fcm=60%,2', '--push-service', 'fcm=10%,2'], 'names fcm twice'],
    [['--push-service', 'fcm=60%,2', '--push-service', 'apple=41%,2'], 'more than 100% of the readers'],
    [['--readers', '5M', '--minutes', '5', '--encryption', 'none'], 'Allowed choices are'],
    [['--table', '--json'], '--table has sizes of its own'],
    [['--table', '--minutes', '5'], '--table has sizes of its own'],
    [['--table', '--seconds', '5'], '--table has sizes of its own'],
  ])('refuses %j', async (args, words) => {
    const { code, err } = await run(...args);
    expect(code).not.toBe(0);
    expect(err).toContain(words);
  });

  it('makes the table of the operations guide', async () => {
    const { code, out } = await run('--table');
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(2 + 13);
    const guide = readFileSync(`${root}/engine/OPERATIONS.md`, 'utf8');
    expect(guide, 'put the output of `broadside capacity --table` into its section Capacity').toContain(out);
  });
});
