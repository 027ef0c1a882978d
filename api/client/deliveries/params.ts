import { Type } from 'typebox';
import { type DeliveryId, toId } from '../../../engine/contract/ids.ts';
import { appParams } from '../apps/routes.ts';

export const deliveryParams = Type.Object({
  ...appParams.properties,
  delivery_id: Type.String({ maxLength: 255, description: 'The delivery’s id.', examples: ['81'] }),
});

/** A text that is not a number names no delivery: 404, like an unknown number. */
export function parseDeliveryId(text: string): DeliveryId | null {
  return /^[1-9]\d{0,14}$/.test(text) ? toId(text) : null;
}
