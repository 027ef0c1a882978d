import type { AudienceRules } from './audience.ts';

/** What all deliveries of the campaign share, fixed with its last change. */
export interface CampaignOptions {
  readonly segmentId: number | null;
  /** The segment's rules as somebody approved them. Absent: each delivery takes those of its own start. */
  readonly approvedRules?: AudienceRules | null;
  readonly categoryId: number | null;
  readonly ignoreCap: boolean;
  readonly ttlSeconds: number;
  readonly requireInteraction: boolean;
  readonly silent: boolean;
  readonly vibratePattern: readonly number[];
  readonly topic: string | null;
  readonly urgency: string;
  readonly ratePerMinute: number | null;
  readonly rehearsal: boolean;
  readonly queryParams: readonly { readonly key: string; readonly value: string }[];
  readonly site?: string;
  /** ISO 8601. Nothing is sent from then on. */
  readonly expiresAt?: string | null;
  /** Of a schedule in one zone and of a feed; absent: they wait. Other campaigns choose their own time. */
  readonly duringQuietHours?: 'wait' | 'drop' | 'send';
}
