import type { CampaignContent } from '../contract/campaign.ts';
import type { CampaignOptions } from '../contract/campaign-options.ts';
import type { Face } from '../contract/face.ts';
import type { TextsContent } from './texts.ts';

/** What a campaign's steps build, and the API measures beforehand. @param face the app's, as it is now. */
export const notificationOfCampaign = (
  content: CampaignContent,
  options: CampaignOptions,
  face: Face,
): TextsContent => ({
  title: content.title,
  body: content.body,
  url: content.url,
  imageUrl: content.imageUrl,
  iconUrl: content.iconUrl ?? null,
  face,
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
