import type { Answer } from '../../../../../http-client/client.ts';
import type { CampaignDetail, CampaignForecast } from '../resource.ts';

/** A campaign that is a feed, as the API answers it. */
export type Feed = CampaignDetail;
type FeedItem = Answer<
  '/api/v1/client/apps/{identifier}/campaigns/{campaign_id}/items',
  'get'
>['data'][number];
export type FeedForecast = NonNullable<CampaignForecast['feed']>;

export interface FeedPlan {
  readonly kind: 'feed';
  readonly url: string;
  readonly every_minutes: number;
  /** Of a digest. */
  readonly schedule?: string;
  readonly time_zone?: string;
  readonly mapping: {
    readonly title: string;
    readonly body: string;
    readonly image: boolean;
    readonly icon_url?: string;
    readonly item_icon?: boolean;
  };
  readonly filter: {
    readonly categories?: readonly string[];
    readonly words?: readonly string[];
    readonly without?: readonly string[];
  };
  readonly publish: 'automatic' | 'review';
  readonly max_per_hour: number;
  readonly overflow: 'summary' | 'drop';
}

/** A draft of a feed, on its page. */
export interface DraftProps {
  readonly app: string;
  readonly campaign: number;
  readonly item: FeedItem;
}
