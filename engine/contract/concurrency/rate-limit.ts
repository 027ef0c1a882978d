/** A rate limit's answer to one request. */
export interface RateAnswer {
  readonly isWithinRate: boolean;
  /** How many more requests would be admitted right now. */
  readonly remaining: number;
  /** Seconds until the next request is admitted; 0 where it would be now. */
  readonly waitSeconds: number;
}
