import type { ClickHouse } from './clickhouse.ts';
import { literal } from './literals.ts';

/** Of each kind of statement in our migrations: what comes before the place of `ON CLUSTER`. */
const definitions =
  /^((?:CREATE|DROP) (?:DATABASE|TABLE|VIEW|MATERIALIZED VIEW)(?: IF (?:NOT )?EXISTS)? \w+|ALTER TABLE \w+)/;
const engine = /ENGINE = (\w*MergeTree)(?:\(((?:[^()]|\([^()]*\))*)\))?/;

/** `{uuid}` is the table's, the same on all replicas; the servers' own macros name the shard and the replica. */
const PLACE = `'/clickhouse/tables/{uuid}/{shard}', '{replica}'`;

/** A statement of a migration as the replicas of a cluster need it; unchanged without one, and where it defines nothing. */
export function onCluster(statement: string, cluster: string | undefined): string {
  if (cluster === undefined || !definitions.test(statement)) return statement;
  return statement
    .replace(definitions, (definition) => `${definition} ON CLUSTER ${literal(cluster)}`)
    .replace(engine, (_, name: string, given?: string) =>
      given === undefined || given === ''
        ? `ENGINE = Replicated${name}(${PLACE})`
        : `ENGINE = Replicated${name}(${PLACE}, ${given})`,
    );
}

/**
 * A cluster of replicas has one shard: over several, a table would hold a part of the rows, and a report would add up
 * that part. @throws Error with what to fix.
 */
export async function checkCluster({ client, cluster }: ClickHouse): Promise<void> {
  if (cluster === undefined) return;
  const answer = await client.query({
    query: `SELECT toUInt32(max(shard_num)) AS shards FROM system.clusters WHERE cluster = {cluster:String}`,
    query_params: { cluster },
    format: 'JSONEachRow',
  });
  const [row] = await answer.json<{ shards: number }>();
  const shards = Number(row?.shards ?? 0);
  if (shards === 0)
    throw new Error(
      `ClickHouse knows no cluster "${cluster}": CLICKHOUSE_CLUSTER must be one of system.clusters`,
    );
  if (shards > 1)
    throw new Error(
      `the ClickHouse cluster "${cluster}" has ${shards} shards: CLICKHOUSE_CLUSTER must name one of a single shard, with any number of replicas`,
    );
}
