import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type AudienceRules, audienceRules, namedReaches } from './audience.ts';
import { type CampaignPart, campaignPart } from './campaign.ts';
import type { DeliveryId } from './ids.ts';

/** `deliveries.audience`. */
const frozen = Type.Object({
  rules: Type.Union([audienceRules, Type.Null()]),
  /**
   * Only subscriptions that receive this delivery category: those that chose it, and, as `never_stated` says,
   * those that never chose.
   */
  category_id: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /**
   * `receive`: a subscription that never stated categories receives all of them. Absent: it receives none, as
   * audiences frozen before this field existed meant it.
   */
  never_stated: Type.Optional(Type.Literal('receive')),
  /** The instant that relative times refer to: ISO 8601, UTC. */
  at: Type.String(),
  /** The app's own time zone then. Absent: UTC, as audiences frozen before this field existed had no zone. */
  zone: Type.Optional(Type.String()),
  /** The delivery that the named reaches were frozen for. Absent: the rules name none. */
  delivery_id: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Absent: all of it. */
  part: Type.Optional(campaignPart),
});
export interface Audience {
  readonly rules: AudienceRules | null;
  readonly category_id: number | null;
  readonly never_stated?: 'receive';
  readonly at: string;
  readonly zone?: string;
  readonly delivery_id?: number;
  readonly part?: CampaignPart;
}

export interface AudienceAsked {
  readonly rules: AudienceRules | null;
  readonly categoryId: number | null;
  /** The app's own time zone. */
  readonly zone: string;
  /** Of a campaign's delivery. */
  readonly part?: CampaignPart | null;
}

/**
 * A subscription's statement counts for itself: one that never stated categories receives all, one that did
 * receives those, and an empty list means none.
 *
 * @returns null where that is every subscribed one.
 */
export function freezeAudience(
  { rules, categoryId, zone, part = null }: AudienceAsked,
  at: Date,
  deliveryId?: DeliveryId,
): Audience | null {
  if (categoryId === null && rules === null && part === null) return null;
  return {
    rules,
    category_id: categoryId,
    ...(categoryId === null ? {} : { never_stated: 'receive' }),
    at: at.toISOString(),
    zone,
    ...(deliveryId === undefined || namedReaches(rules).length === 0 ? {} : { delivery_id: deliveryId }),
    ...(part === null ? {} : { part }),
  };
}

/** A delivery to test browsers, which no statistic and no cap counts. */
export const isTest = (audience: Audience | null): boolean =>
  audience?.part?.kind === 'named' && audience.part.welcome !== true;

/** A delivery to new subscribers, which is counted with the app's welcome and in no other figure. */
export const isWelcome = (audience: Audience | null): boolean =>
  audience?.part?.kind === 'named' && audience.part.welcome === true;

const checkAudience = Compile(frozen);

/** @throws RangeError on what is not an audience: such a row is a bug, and must never select everyone. */
export function parseAudience(value: unknown): Audience | null {
  if (value === null) return null;
  if (!checkAudience.Check(value)) throw new RangeError('this is not an audience');
  return value;
}
