export interface TuneOptions {
  /** Of the push services that are to be sent to. */
  readonly latencyMs: number;
  readonly messages: number;
  /** Counted deliveries with the same settings, after one to warm up. */
  readonly rounds: number;
  /** Names of settings; null: all. */
  readonly only: readonly string[] | null;
}
