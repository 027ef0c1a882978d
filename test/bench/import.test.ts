// tier: system
import { describe, expect, it } from 'vitest';
import { runBench } from './run-bench.ts';

describe('npm run bench -- import', () => {
  it('imports a list into an empty and into a filled app, and the same one again', async () => {
    const { code, lines, errors } = await runBench('import', '--lines', '300');
    expect(code, errors).toBe(0);
    expect(lines.map(({ lines: count, into }) => [count, into])).toEqual([
      [300, 'an empty installation'],
      [300, 'the filled app'],
      [300, 'the filled app, the same list'],
    ]);
    for (const line of lines) expect(line.lines_per_second).toBeGreaterThan(0);
  });

  it('measures a line by part, and with all indexes built once', async () => {
    const { code, lines, errors } = await runBench('import', '--parts', '--lines', '300', '--rounds', '2');
    expect(code, errors).toBe(0);
    expect(lines.map(({ part }) => part)).toEqual([
      'the import, without lists, searches and tags',
      'the import as it is',
      'built once: rows into tables without indexes',
      'built once: the indexes',
    ]);
    for (const line of lines) expect(line.postgres_us_per_line).toBeGreaterThanOrEqual(0);
  });
});
