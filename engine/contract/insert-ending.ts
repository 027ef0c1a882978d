/** How an insert ended. `away`: whether the rows arrived is unknown; the same call again is safe. */
export type InsertEnding =
  | { readonly kind: 'inserted'; readonly rows: number }
  | { readonly kind: 'away'; readonly reason: string };
