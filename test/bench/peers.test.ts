// tier: system
import { describe, expect, it } from 'vitest';
import { encryptionBackends, refusalOf } from '../../bench/peers/backends.ts';
import { peerRows } from '../../bench/peers/figures.ts';
import { peersReport } from '../../bench/peers/report.ts';
import { problemOf, type Round } from '../../bench/peers/rounds.ts';
import { buildPeer, type Toolchain } from '../../bench/peers/toolchains.ts';
import { markdown } from '../../bench/report/show.ts';
import type { LedgerTotals } from '../support/push-service/ledger-run.ts';
import { runBench } from './run-bench.ts';

describe('npm run bench -- peers', () => {
  it('sends by Broadside and by web-push in both ways, and measures all by the keep-alive agent', async () => {
    const senders = ['broadside/node', 'web-push', 'web-push/keep-alive'];
    const size = ['--messages', '60', '--rounds', '1', '--only', senders.join(',')];
    const { code, lines, errors } = await runBench('peers', ...size);
    expect(code, errors).toBe(0);
    expect(lines.map(({ sender }) => sender)).toEqual(senders);
    for (const line of lines) {
      expect(line).toMatchObject({ messages: 60, rounds: 1 });
      expect(line.cpu_us_per_message).toBeGreaterThan(0);
      expect(line.messages_per_second).toBeGreaterThan(0);
      expect(line.double_cpu_us_per_message).toBeGreaterThan(0);
    }
    expect(lines.at(-1)).toMatchObject({ ratio: 1 });
  }, 420_000);

  it('takes the middle of the rounds, and the ratio of the middles', () => {
    const round = (cpuUs: number, seconds: number): Round => ({
      ...{ cpuUs, seconds, doubleUs: 500, databaseUs: null, problem: null },
    });
    const rounds = new Map([
      ['broadside/node', [round(1_500, 1), round(3_000, 0.5), round(1_000, 2)]],
      ['web-push/keep-alive', [round(6_000, 4), round(5_000, 4), round(9_000, 5)]],
    ]);
    expect(peerRows(rounds, 10)[0]).toEqual({
      sender: 'broadside/node',
      ...{ cpu_us_per_message: 150, cpu_us_min: 100, cpu_us_max: 300 },
      ...{ messages_per_second: 10, messages_per_second_min: 5, messages_per_second_max: 20 },
      ...{ messages: 10, rounds: 3, ratio: 0.25, double_cpu_us_per_message: 50 },
      database_cpu_us_per_message: null,
    });
  });

  it('names absent senders with their reason, in the table’s notes and in the lines', () => {
    const ending = { rows: [], wrong: [], skipped: [{ name: 'webpush-go', reason: 'needs Go 1.22' }] };
    const { notes, lines } = peersReport(ending);
    expect(notes).toContain('Not measured: webpush-go, needs Go 1.22.');
    expect(lines).toEqual([{ sender: 'webpush-go', skipped: 'needs Go 1.22' }]);
  });
});

describe('the messages of a sender', () => {
  const right: LedgerTotals = {
    ...{ run: '', received: 100, accepted: 100, distinct: 100, duplicates: 0, decrypted: 5 },
    ...{ decryptFailed: 0, keysReused: 0, rejected: {}, statuses: {}, decryptErrors: [] },
  };
  const expected = { messages: 100, sampled: 5 };

  it('are right where everyone got one that can be read', () => {
    expect(problemOf(right, expected)).toBeNull();
  });

  it.each<[what: string, wrong: Partial<LedgerTotals>, sentence: RegExp]>([
    ['were not all accepted', { distinct: 99 }, /99 of 100/],
    ['came twice', { duplicates: 1 }, /came twice/],
    ['cannot be decrypted', { decryptFailed: 1, decrypted: 4 }, /cannot be decrypted/],
    ['were not looked into', { decrypted: 4 }, /4 messages were decrypted/],
    ['share a key', { keysReused: 1 }, /key used before/],
  ])('are wrong where some %s', (_what, wrong, sentence) => {
    expect(problemOf({ ...right, ...wrong }, expected)).toMatch(sentence);
  });
});

describe('a peer of another language', () => {
  const toolchain: Toolchain = {
    sender: 'peer',
    folder: 'pywebpush',
    probe: [process.execPath, '--version'],
    needs: 'Something',
    build: () => [[process.execPath, '-e', 'console.error("error: no registry answers"); process.exit(1)']],
    start: (built) => [built],
  };

  it('is absent, with the package to install, without its toolchain', async () => {
    const missing = { ...toolchain, probe: ['no-such-toolchain-anywhere'] as const };
    expect(await buildPeer(missing, () => {})).toEqual({ kind: 'absent', reason: 'needs Something' });
  });

  it('is absent, with the build’s output, where its packages are not available', async () => {
    const folder = { ...toolchain, folder: 'web-push' };
    expect(await buildPeer(folder, () => {})).toEqual({
      kind: 'absent',
      reason: expect.stringContaining('error: no registry answers'),
    });
  });
});

describe('the encryption backends', () => {
  it('are node alone in an engine that has no setting for them, else every one by its name', () => {
    expect(encryptionBackends({})).toEqual([{ name: 'node', env: {} }]);
    const offered = encryptionBackends({ encryptionBackend: {} });
    expect(offered.map(({ name }) => name)).toEqual(['node', 'openssl', 'multibuffer']);
    expect(offered[1]?.env).toMatchObject({ ENCRYPTION_BACKEND: 'openssl' });
  });

  it('are refused where the engine reports another one', () => {
    const backend = { name: 'multibuffer', env: {} };
    const warning = '{"level":"warn","msg":"messages are encrypted by node: multibuffer: no library"}';
    expect(refusalOf(backend, `one line\n${warning}\nanother`)).toBe(
      'messages are encrypted by node: multibuffer: no library',
    );
    expect(refusalOf(backend, 'one line\nanother')).toBeNull();
  });
});

describe('a table', () => {
  it('has its numbers on the right, with as many digits as are worth reading', () => {
    const rows = [
      ['a', 0.2789, 153.24, 6_672.3],
      ['b', null, 2, 1_000_000],
    ];
    expect(markdown({ heads: ['name', 'ratio', 'µs', 'rate'], rows }).split('\n')).toEqual([
      '| name | ratio | µs | rate |',
      '|---|---:|---:|---:|',
      '| a | 0.28 | 153.2 | 6,672 |',
      '| b | – | 2 | 1,000,000 |',
    ]);
  });
});
