import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';

/**
 * Everything that the master key seals, and resealing it under another one. A value names its key, so the rows
 * themselves show the remaining work: stopping anywhere, running twice or concurrently does no harm.
 */
interface SealedValues {
  readonly table: string;
  readonly column: string;
  /** Rows are locked in the order of these, so that two that do the same wait and do not lock up. */
  readonly key: readonly string[];
  /** The context that the value is bound to. */
  readonly context: string;
}

const sealedValues: readonly SealedValues[] = [
  { table: 'apps', column: 'vapid_private_key_sealed', key: ['id'], context: 'sealed_rows.identifier' },
  {
    table: 'vapid_keys',
    column: 'private_key_sealed',
    key: ['app_id', 'number'],
    context: '(SELECT identifier FROM apps WHERE apps.id = sealed_rows.app_id)',
  },
  {
    table: 'alert_channels',
    column: 'secret_sealed',
    key: ['id'],
    context: "'alert-channel ' || sealed_rows.id",
  },
  {
    table: 'webhook_endpoints',
    column: 'secret_sealed',
    key: ['id'],
    context: "'webhook-endpoint ' || sealed_rows.id",
  },
  {
    table: 'webhook_endpoints',
    column: 'old_secret_sealed',
    key: ['id'],
    context: "'webhook-endpoint ' || sealed_rows.id",
  },
  {
    table: 'second_factors',
    column: 'secret_sealed',
    key: ['user_id'],
    context: "'second-factor ' || sealed_rows.user_id",
  },
  {
    table: 'identity_providers',
    column: 'client_secret_sealed',
    key: ['id'],
    context: "'identity-provider of ' || sealed_rows.organization_id",
  },
  {
    table: 'sessions',
    column: 'provider_sealed',
    key: ['id'],
    context: "'provider session ' || sealed_rows.user_id",
  },
  {
    table: 'half_log_ins',
    column: 'provider_sealed',
    key: ['secret_hash'],
    context: "'provider session ' || sealed_rows.user_id",
  },
  {
    table: 'report_schedules',
    column: 'secret_sealed',
    key: ['id'],
    context: "'report-schedule ' || sealed_rows.id",
  },
  { table: 'letters', column: 'link_sealed', key: ['id'], context: "'letter to ' || sealed_rows.address" },
];

/** Of one transaction: the rows are locked for some milliseconds. */
const ROWS_PER_BATCH = 100;
/** A value begins with a mark and the id of its key: 8 bytes. */
const headerOf = (column: string): string => `substring(${column} FROM 1 FOR 8)`;

export interface SealedCount {
  /** The first 8 bytes. */
  readonly header: Buffer;
  readonly values: number;
}

export function countSealed(database: Database): Promise<SealedCount[]> {
  const each = sealedValues.map(
    ({ table, column }) => `SELECT ${headerOf(column)} AS header FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  return database.query<SealedCount>(
    `SELECT header, count(*) AS values FROM (${each.join(' UNION ALL ')}) AS sealed GROUP BY header ORDER BY 2 DESC`,
  );
}

/** How many values are not under the current key. */
export async function countToReseal(database: Database, { currentHeader }: Sealer): Promise<number> {
  const counts = await countSealed(database);
  return counts.reduce((sum, { header, values }) => sum + (header.equals(currentHeader) ? 0 : values), 0);
}

/**
 * Seals everything under the current key.
 * @throws Error where no known key opens a value: finished work stays done.
 */
export async function resealAll(
  database: Database,
  sealer: Sealer,
  onProgress: (resealed: number) => void,
): Promise<number> {
  let resealed = 0;
  for (const values of sealedValues) {
    for (;;) {
      const done = await resealBatch(database, sealer, values);
      if (done === 0) break;
      resealed += done;
      onProgress(resealed);
    }
  }
  return resealed;
}

interface SealedRow {
  readonly place: string;
  readonly context: string;
  readonly sealed: Buffer;
}

function resealBatch(database: Database, sealer: Sealer, values: SealedValues): Promise<number> {
  const { table, column, key, context } = values;
  return database.transaction(async (sql) => {
    const rows = await sql.query<SealedRow>(
      `SELECT concat_ws(' ', ${key.join(', ')}) AS place, ${context} AS context, ${column} AS sealed
       FROM ${table} AS sealed_rows WHERE ${column} IS NOT NULL AND ${headerOf(column)} <> $1
       ORDER BY ${key.join(', ')} LIMIT $2 FOR NO KEY UPDATE OF sealed_rows`,
      [sealer.currentHeader, ROWS_PER_BATCH],
    );
    const fresh = rows.map((row) => sealer.seal(opened(sealer, row, table), row.context));
    await sql.query(
      `UPDATE ${table} SET ${column} = fresh.sealed FROM unnest($1::text[], $2::bytea[]) AS fresh (place, sealed)
       WHERE concat_ws(' ', ${key.map((name) => `${table}.${name}`).join(', ')}) = fresh.place`,
      [rows.map(({ place }) => place), fresh],
    );
    return rows.length;
  });
}

function opened(sealer: Sealer, { place, context, sealed }: SealedRow, table: string): Buffer {
  try {
    return sealer.open(sealed, context);
  } catch (error) {
    throw new Error(
      `the secret of ${table} ${place} (${context}) does not open: is its key in MASTER_KEYS_OLD?`,
      {
        cause: error,
      },
    );
  }
}

/** Since when the key is the current one: the time of the first call. */
export async function noteMasterKey(database: Database, keyId: Buffer): Promise<void> {
  await database.query(`INSERT INTO master_keys (key_id) VALUES ($1) ON CONFLICT DO NOTHING`, [keyId]);
}

/** RFC 8030 TTLs end after 28 days at most; a notification is clicked some days after it was shown. */
const PROOF_DAYS = 28 + 7;

/**
 * Until when beacons of notifications sent before come: they carry a proof of the key before. Null where the
 * key was never made current by `master-key rotate`.
 */
export async function proofsUntil(database: Database, keyId: Buffer): Promise<Date | null> {
  const [row] = await database.query<{ until: Date }>(
    `SELECT greatest(since, (SELECT max(scheduled_at) FROM deliveries WHERE created_at <= since))
       + make_interval(days => $2) AS until FROM master_keys WHERE key_id = $1`,
    [keyId, PROOF_DAYS],
  );
  return row?.until ?? null;
}
