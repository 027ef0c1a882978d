import type { AppService, Judged, Limited } from '../contract/standing.ts';

/**
 * What all engines know together about push services that limit apps: `engine/adapters/postgres/standing`. Any number
 * of engines judges at the same time: each write names what it was judged by, and changes nothing where another one
 * was first. Rejects when Postgres is unavailable.
 */
export interface StandingStore {
  /** Each that is limited or was throttled in the last minutes; at most a thousand. */
  readJudged(): Promise<readonly (AppService & Judged)[]>;
  /** @returns false: it is limited already. */
  begin(of: AppService, now: Limited): Promise<boolean>;
  change(of: AppService, before: Limited, now: Limited): Promise<boolean>;
  end(of: AppService, before: Limited): Promise<boolean>;
}
