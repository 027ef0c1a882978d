import { Type } from 'typebox';
import { appParams } from '../apps/routes.ts';

export const subscriptionParams = Type.Object({
  ...appParams.properties,
  subscription_id: Type.String({ maxLength: 255, description: 'The subscription’s id.', examples: ['4711'] }),
});
