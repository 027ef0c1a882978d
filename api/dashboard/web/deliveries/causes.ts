import type { Delivery } from '../data/deliveries/resource.ts';

/** What a publisher can do about a failure decides its kind. */
export type CauseKind = 'gone' | 'key' | 'endpoint' | 'rejected' | 'expired' | 'other';

export interface Cause {
  readonly key: string;
  readonly kind: CauseKind;
  readonly service: Failure['push_service'];
  readonly status: number | null;
  /** The push service's own words. */
  readonly said: string | null;
  readonly count: number;
}

type Failure = Delivery['failures'][number];
type Failed = Pick<Delivery, 'failures' | 'failed_count'>;

/** The reasons, and the rest of the failures, whose reasons were too rare to be kept. */
export function causesOf({ failures, failed_count: failed }: Failed): readonly Cause[] {
  const known = failures.map(causeOf);
  const rest = failed - known.reduce((sum, { count }) => sum + count, 0);
  if (rest <= 0) return known;
  return [...known, { key: 'rest', kind: 'other', service: null, status: null, said: null, count: rest }];
}

function causeOf(failure: Failure): Cause {
  const { outcome, push_service: service, http_status: status, reason, count } = failure;
  return {
    key: `${outcome} ${service} ${status}`,
    kind: kindOf(failure),
    service,
    status,
    said: reason,
    count,
  };
}

/** By RFC 8030 and 8292: 401 and 403 are about the sender's key, other refusals about the message. */
function kindOf({ outcome, http_status: status, push_service: service }: Failure): CauseKind {
  if (outcome === 'gone' || outcome === 'expired') return outcome;
  if (outcome !== 'rejected') return 'other';
  if (status === 401 || status === 403) return 'key';
  return service === null ? 'endpoint' : 'rejected';
}
