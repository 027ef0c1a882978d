/** What a rate limit says to one request. */
export interface RateAnswer {
  readonly isWithinRate: boolean;
  /** How many more requests would be let in right now. */
  readonly remaining: number;
  /** Seconds until the next request is let in; 0 where it would be now. */
  readonly waitSeconds: number;
}
