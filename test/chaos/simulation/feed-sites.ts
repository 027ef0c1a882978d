interface Article {
  readonly name: string;
  readonly atMs: number;
}

/** A feed's server, and what a publisher may expect of each article. */
export interface FeedSite {
  readonly campaignId: number;
  /** Newest first. */
  articles: Article[];
  version: number;
  mood: 'well' | 'away' | 'web page';
  readonly perHour: number;
  /** They came when the feed had been read: each is sent once. */
  readonly expected: Set<string>;
  /** They were there before, or are old: none is sent. */
  readonly unwanted: Set<string>;
}

/** By the URL of the feed. */
export type FeedSites = Map<string, FeedSite>;
