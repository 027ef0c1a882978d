import { Type } from 'typebox';
import { appParams } from '../apps/routes.ts';

export const campaignParams = Type.Object({
  ...appParams.properties,
  campaign_id: Type.String({ description: 'The campaign’s id.', examples: ['12'] }),
});
