import type { DiskSpace } from '../telemetry/service-metrics.ts';
import type { ClickHouse } from './clickhouse.ts';

/** The fullest disk of ClickHouse; null where it has none with an end. */
export async function readDiskSpace({ client }: ClickHouse): Promise<DiskSpace | null> {
  const answer = await client.query({
    query: `SELECT toString(free_space) AS free, toString(total_space) AS size FROM system.disks
            WHERE total_space > 0 ORDER BY free_space / total_space LIMIT 1`,
    format: 'JSONEachRow',
  });
  const [disk] = await answer.json<{ free: string; size: string }>();
  return disk === undefined ? null : { freeBytes: Number(disk.free), sizeBytes: Number(disk.size) };
}
