import type { ClickHouseClient } from '@clickhouse/client';

/** Table names in statements stay unqualified: both homes look them up in `database`. */
export interface ClickHouse {
  /**
   * The client of @clickhouse/client, over either home. Three rules keep one statement correct on both:
   * settings are in the statement (`SETTINGS …`), not in `clickhouse_settings`; times are passed as integers
   * (the embedded engine drops the milliseconds of a Date); data for an insert is text.
   */
  readonly client: ClickHouseClient;
  readonly database: string;
  /** In this process: it reads and writes files of this machine. */
  readonly isEmbedded?: true;
  /** Addresses of replicas that a call may go to; absent: one. */
  readonly replicas?: number;
  /** That the tables are made on; absent: none. */
  readonly cluster?: string;
  /** Makes the database where it is missing. Safe from many processes at once. */
  createDatabase(): Promise<void>;
  /** Whether ClickHouse answers now; false instead of an exception. */
  ping(): Promise<boolean>;
  /**
   * Embedded: cancels reads, waits for running inserts, then releases the folder. Pending answers of a server
   * are lost. Safe to call twice.
   */
  close(): Promise<void>;
}
