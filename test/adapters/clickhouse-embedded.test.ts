// tier: core, alone
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { describeClickHouse } from './clickhouse-conformance.ts';

const path = await mkdtemp(join(tmpdir(), 'broadside-chdb-'));
afterAll(() => rm(path, { recursive: true, force: true }));

describeClickHouse('embedded', () => openClickHouse({ kind: 'embedded', path, database: 'broadside' }));

it('keeps its folder to its owner, also one that an older release left world-readable', async () => {
  await chmod(path, 0o755);
  await (await openClickHouse({ kind: 'embedded', path, database: 'broadside' })).close();
  expect(((await stat(path)).mode & 0o777).toString(8)).toBe('700');
});
