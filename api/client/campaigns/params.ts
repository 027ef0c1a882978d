import { Type } from 'typebox';
import { appParams } from '../apps/routes.ts';

export const campaignParams = Type.Object({
  ...appParams.properties,
  campaign_id: Type.String({ maxLength: 255, description: 'The campaign’s id.', examples: ['12'] }),
});
