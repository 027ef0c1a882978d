import { createHash } from 'node:crypto';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { atEndpoints } from '../../public/lookups.ts';
import type { ImportRow } from './row.ts';

/** Of an endpoint's hash that fits into a number exactly: 8 bytes a row, and of 10 million rows one is mistaken. */
const HASH_BYTES = 6;

/** Instead of `storeBatch`: how many of these rows would be new, of which no earlier batch had one. Writes nothing. */
export function createCountBatch(database: Database, appId: AppId) {
  const seen = new Set<number>();
  return async (rows: readonly ImportRow[]): Promise<number> => {
    const endpoints = rows.map(({ endpoint }) => endpoint);
    const known = await database.query<{ endpoint: string }>(
      `SELECT endpoint FROM ${atEndpoints('$2::text[]')}`,
      [appId, endpoints],
    );
    for (const { endpoint } of known) seen.add(hashOf(endpoint));
    let added = 0;
    for (const endpoint of endpoints) {
      const hash = hashOf(endpoint);
      if (!seen.has(hash)) added++;
      seen.add(hash);
    }
    return added;
  };
}

const hashOf = (endpoint: string): number =>
  createHash('sha256').update(endpoint).digest().readUIntBE(0, HASH_BYTES);
