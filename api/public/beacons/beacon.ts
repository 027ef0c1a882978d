import { hash } from 'node:crypto';
import type { EventType } from '../../../engine/contract/event.ts';
import type { ToldEvent } from '../../../engine/contract/topics.ts';
import { parseTime } from '../../client/fields.ts';
import { secretHashOf } from '../browser-name.ts';
import type { PublicApp } from '../origin.ts';
import type { BeaconBody } from './schema.ts';
import type { Named, Resolved } from './store.ts';

/** What one request told. The proof of the delivery is right; whose browser it is, `resolveNames` finds. */
export interface Beacon extends Named {
  readonly proof: string;
  readonly userId: string | null;
  readonly events: readonly BeaconEvent[];
}

interface BeaconEvent {
  readonly id: string;
  readonly type: EventType;
  readonly action: string;
  readonly atMs: number;
}

/** How late a beacon may be, and still say when. */
const LATEST_MS = 30 * 86_400_000;

export const beaconOf = (app: PublicApp, body: BeaconBody, nowMs: number): Beacon => ({
  appId: app.id,
  delivery: body.delivery,
  proof: body.proof,
  userId: body.userId ?? null,
  secretHash: secretHashOf(body.browserSecret),
  events: body.events.map(({ id, type, action = '', at }) => ({
    id,
    type,
    action,
    atMs: bounded(at, nowMs),
  })),
});

/** Clocks of devices are wrong by years: an event that says so still counts, at the nearest time it can have had. */
function bounded(at: string | undefined, nowMs: number): number {
  const said = at === undefined ? undefined : parseTime(at)?.getTime();
  return Math.min(nowMs, Math.max(nowMs - LATEST_MS, Math.round(said ?? nowMs)));
}

/** As they go onto the log: no name of a person does. */
export function toldEvents(beacon: Beacon, resolved: Resolved): ToldEvent[] {
  const { deliveryId, dueAtMs, seq } = resolved;
  return beacon.events.map(({ id, type, action, atMs }) => ({
    id: eventId(beacon, id, seq),
    app_id: beacon.appId,
    delivery_id: deliveryId,
    seq,
    proven: seq !== null,
    type,
    action,
    at: Math.max(atMs, dueAtMs),
  }));
}

/**
 * Sets of subscribers are kept by seq. Who proves nothing, and names a secret or an identity, is at least the
 * same one each time, so a hash of it stands for the event's own id; with the proof, which is stored nowhere, so
 * that nobody can find out whose hash it is.
 */
function eventId({ proof, userId, secretHash }: Beacon, id: string, seq: number | null): string {
  const name = secretHash?.toString('hex') ?? userId;
  return seq === null && name !== null ? hash('sha256', `${proof}\n${name}`, 'base64url') : id;
}
