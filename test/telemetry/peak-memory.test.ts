// tier: system
import { expect, it } from 'vitest';
import { peakMemoryBytes } from '../../engine/adapters/telemetry/peak-memory.ts';
import { runCode } from '../support/run-code.ts';

const PARENT_BYTES = 400e6;

it('the peak memory of a process is its own, however much the process that started it holds', async () => {
  const held = Buffer.alloc(PARENT_BYTES, 1);
  const module = JSON.stringify(
    new URL('../../engine/adapters/telemetry/peak-memory.ts', import.meta.url).href,
  );
  const [before, more] = await runCode<[number, number]>(`
    const { peakMemoryBytes } = await import(${module});
    const before = peakMemoryBytes();
    const held = Buffer.alloc(100e6, 1);
    console.log(JSON.stringify([before, peakMemoryBytes() - before, held.length]));`);
  expect(peakMemoryBytes()).toBeGreaterThan(held.length);
  expect(before).toBeLessThan(PARENT_BYTES / 2);
  // Pages that were free before may take some of it.
  expect(more).toBeGreaterThan(80e6);
});
