import type { CampaignPlan, CampaignSettings } from '../../../engine/contract/campaign.ts';
import { LASTING_TTL_SECONDS } from './times.ts';

const CONTENT = {
  title: 'Title',
  body: 'Text',
  url: 'https://news.example/',
  imageUrl: null,
  imageHash: null,
  buttons: [],
};

export const settingsOf = (plan: CampaignPlan, contents: number): CampaignSettings => ({
  contents: Array.from({ length: contents }, () => CONTENT),
  options: {
    segmentId: null,
    categoryId: null,
    ignoreCap: false,
    ttlSeconds: LASTING_TTL_SECONDS,
    requireInteraction: false,
    silent: false,
    vibratePattern: [],
    topic: null,
    urgency: 'normal',
    ratePerMinute: null,
    rehearsal: false,
    queryParams: [],
  },
  plan,
});
