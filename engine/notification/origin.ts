import { randomBytes } from 'node:crypto';
import type { DeliveryProofs } from './delivery-proof.ts';
import type { NotificationOrigin } from './notification.ts';

/** A new delivery of the app: its public identifier, and the proof that its beacons carry. */
export function newOrigin(proofs: DeliveryProofs, app: string): NotificationOrigin {
  const delivery = `dlv_${randomBytes(12).toString('base64url')}`;
  return { app, delivery, proof: proofs.prove(app, delivery) };
}
