// tier: system, alone
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openClickHouse } from '../../../engine/adapters/clickhouse/client.ts';
import { describeAdStats } from './ad-stats-conformance.ts';

const path = await mkdtemp(join(tmpdir(), 'broadside-chdb-'));
afterAll(() => rm(path, { recursive: true, force: true }));

describeAdStats('embedded', () => openClickHouse({ kind: 'embedded', path, database: 'broadside' }));
