import { randomBytes, randomUUID } from 'node:crypto';
import { createDeliveryProofs } from '../../../engine/notification/delivery-proof.ts';
import { testMasterKey } from '../../support/builders.ts';
import { userIdOf } from './readers.ts';

/** One stranger's requests to the public API, and their allowed answers. */
export interface Forgery {
  readonly path: 'subscribe' | 'update_subscription' | 'subscription-tags' | 'beacon';
  readonly body: object;
  readonly answer: number;
}

export interface Subscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** Strangers' knowledge: everything but the browsers' secrets. */
export interface Known {
  readonly identifier: string;
  readonly readers: number;
  readonly categoryId: number;
  /** Of deliveries that were accepted so far: a stranger who subscribed has received one. */
  readonly deliveries: readonly string[];
  /** Another endpoint each time that nothing is ever accepted at. */
  readonly poisoned: () => Subscription;
  readonly endpointOf: (reader: number) => string;
}

const anySecret = (): string => randomBytes(32).toString('base64url');
const proofs = createDeliveryProofs(testMasterKey);

/** One of each kind, against one reader: each without a secret and with a wrong one. */
export function forgeriesAgainst(reader: number, known: Known): Forgery[] {
  const userId = userIdOf(reader);
  return [{ userId }, { userId, browserSecret: anySecret() }].flatMap((claim) => [
    ...subscribes(claim, reader, known),
    ...changes(claim),
    ...beacons(claim, known),
  ]);
}

function subscribes(claim: object, reader: number, known: Known): Forgery[] {
  const { poisoned, endpointOf, categoryId } = known;
  const subscribe = (body: object): Forgery => ({ path: 'subscribe', body, answer: 200 });
  return [
    subscribe({ ...claim, subscription: poisoned() }),
    subscribe({ ...claim, subscription: { ...poisoned(), endpoint: endpointOf(reader) } }),
    subscribe({ ...claim, subscription: poisoned(), categoryIds: [] }),
    subscribe({ userId: randomUUID(), subscription: poisoned(), categoryIds: [categoryId, 2_000_000_000] }),
    { path: 'update_subscription', body: { ...claim, subscription: poisoned() }, answer: 200 },
  ];
}

const changes = (claim: object): Forgery[] => [
  { path: 'update_subscription', body: { ...claim, subscription: null }, answer: 200 },
  { path: 'update_subscription', body: { ...claim, externalIds: { oid_cookie: 'forged' } }, answer: 200 },
  { path: 'subscription-tags', body: { ...claim, tags: [{ key: 'plan', value: 'forged' }] }, answer: 200 },
];

function beacons(claim: object, { identifier, deliveries }: Known): Forgery[] {
  const events = () => ['displayed', 'clicked', 'closed'].map((type) => ({ id: randomUUID(), type }));
  return deliveries.flatMap((delivery): Forgery[] => {
    const body = { ...claim, appId: identifier, delivery, events: events() };
    const proof = proofs.prove(identifier, delivery);
    const guessed = randomBytes(16).toString('base64url');
    return [
      { path: 'beacon', body: { ...body, proof }, answer: 204 },
      { path: 'beacon', body: { ...body, proof: guessed }, answer: 422 },
    ];
  });
}

/** Another organization's requests: lists of its own app, at their most expensive, and lists of the publisher's. */
export function greedyLists(
  own: string,
  theirs: string,
): { readonly path: string; readonly answer: number }[] {
  const tags = (count: number): string =>
    Array.from({ length: count }, (_, n) => `tag[key-${n}]=value`).join('&');
  return [
    { path: `/apps/${own}/subscriptions?${tags(10)}`, answer: 422 },
    { path: `/apps/${own}/subscriptions?${tags(5)}`, answer: 200 },
    { path: `/apps/${own}/subscriptions?page=200&per_page=10&sort=notifications_sent`, answer: 200 },
    { path: `/apps/${own}/subscriptions?search=user`, answer: 200 },
    { path: `/apps/${theirs}/subscriptions?${tags(5)}`, answer: 404 },
    { path: `/apps/${theirs}/deliveries?search=n`, answer: 404 },
  ];
}
