// tier: system
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { runBench } from './run-bench.ts';

const LATENCY_MS = 100;

describeKafka('npm run bench -- flow --log kafka', () => {
  it('starts a broker of its own, splits the CPU of a message by part, and draws the call stacks in a file without third-party requests', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'broadside-flow-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const out = join(folder, 'flow.html');
    const size = ['--subscribers', '300', '--rounds', '1', '--latency-ms', String(LATENCY_MS)];
    const { code, lines, errors } = await runBench('flow', ...size, '--log', 'kafka', '--out', out);
    expect(code, errors).toBe(0);
    const [row] = lines as [Record<string, number> & { parts: Record<string, number> }];
    expect(row.subscribers).toBe(300);
    expect(row.hand_off_p50_ms).toBeGreaterThanOrEqual(LATENCY_MS);
    expect(row.hand_off_p99_ms).toBeGreaterThanOrEqual(row.hand_off_p50_ms as number);
    expect(row.rss_peak_mb).toBeGreaterThan(50);
    const { encrypt = 0, read = 0, record = 0, send = 0, ...rest } = row.parts;
    // Of so few messages, reading or recording may fall between two samples of the profiler.
    for (const cost of [encrypt, send, read + record]) expect(cost).toBeGreaterThan(0);
    expect(Object.keys(rest).sort()).toEqual(['collect', 'native', 'other']);
    const sum = Object.values(row.parts).reduce((total, cost) => total + cost, 0);
    expect(sum / (row.cpu_us_per_message as number)).toBeCloseTo(1, 1);

    const page = await readFile(out, 'utf8');
    expect(page).toContain('encryptBatch');
    expect(page).not.toMatch(/(?:src|href)=|url\(|@import|<script/);
  }, 420_000);
});
