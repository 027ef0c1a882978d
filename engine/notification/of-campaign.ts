import type { CampaignContent } from '../contract/campaign.ts';
import type { CampaignOptions } from '../contract/campaign-options.ts';
import type { TextsContent } from './texts.ts';

/** What a campaign's steps build, and the API measures beforehand. */
export const notificationOfCampaign = (content: CampaignContent, options: CampaignOptions): TextsContent => ({
  title: content.title,
  body: content.body,
  url: content.url,
  imageUrl: content.imageUrl,
  buttons: content.buttons,
  topic: options.topic,
  requireInteraction: options.requireInteraction,
  silent: options.silent,
  vibratePattern: options.vibratePattern,
  ...(options.site === undefined ? {} : { site: options.site }),
  language: content.language ?? null,
  translations: content.translations ?? [],
  mayBePersonal: content.isPersonal ?? false,
});
