import { hash } from 'node:crypto';
import type { EventType } from '../../../engine/contract/event.ts';
import type { ReportedEvent } from '../../../engine/contract/topics.ts';
import { parseTime } from '../../http/fields.ts';
import { secretHashOf } from '../browser-name.ts';
import type { PublicApp } from '../origin.ts';
import type { BeaconBody } from './schema.ts';
import type { Named, Resolved } from './store.ts';

/** The content of one request. Its delivery proof is valid; `resolveNames` finds its browser. */
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

/** The oldest time that a beacon may state. */
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

/** Device clocks are wrong by years: such an event still counts, at the nearest possible time. */
function bounded(at: string | undefined, nowMs: number): number {
  const said = at === undefined ? undefined : parseTime(at)?.getTime();
  return Math.min(nowMs, Math.max(nowMs - LATEST_MS, Math.round(said ?? nowMs)));
}

/** As they go onto the log: no name of a person does. */
export function reportedEvents(beacon: Beacon, resolved: Resolved): ReportedEvent[] {
  const { deliveryId, dueAtMs, seq, isTest } = resolved;
  return beacon.events.map(({ id, type, action, atMs }) => ({
    id: eventId(beacon, id, seq),
    app_id: beacon.appId,
    delivery_id: deliveryId,
    seq,
    proven: seq !== null,
    ...(isTest ? { test: true } : {}),
    type,
    action,
    at: Math.max(atMs, dueAtMs),
  }));
}

/**
 * Sets of subscribers are keyed by seq. An unproven browser that names a secret or an identity is at least the
 * same one each time, so a hash of it replaces the event's own id; hashed with the proof, which is stored
 * nowhere, so that the hash cannot be reversed.
 */
function eventId({ proof, userId, secretHash }: Beacon, id: string, seq: number | null): string {
  const name = secretHash?.toString('hex') ?? userId;
  return seq === null && name !== null ? hash('sha256', `${proof}\n${name}`, 'base64url') : id;
}
