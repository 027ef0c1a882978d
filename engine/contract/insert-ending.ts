/** How an insert ended. `away`: the store did not answer, and whether the rows arrived is unknown; the same call again is safe. */
export type InsertEnding = { readonly kind: 'inserted'; readonly rows: number } | StoreAway;

export interface StoreAway {
  readonly kind: 'away';
  readonly store: 'ClickHouse' | 'Postgres';
  readonly reason: string;
}
