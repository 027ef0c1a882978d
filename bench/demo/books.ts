/** The three books of one delivery: Postgres', the push service's and ClickHouse's. */
export interface Books {
  readonly delivery: {
    readonly status: string;
    readonly total_subscribers: number;
    readonly success_count: number;
    readonly failed_count: number;
    readonly capped_subscribers: number;
  };
  readonly push_service: {
    readonly received: number;
    readonly distinct: number;
    readonly decrypted: number;
    readonly duplicates: number;
  };
  readonly clickhouse: { readonly accepted: number };
}

/** The analytics' figures per push service, by ClickHouse's roll-up. */
export interface ServicesBook {
  readonly push_services: readonly { readonly accepted: number; readonly failed: number }[];
  readonly unrecorded: number;
}

/** As `differences`: of an app whose only delivery this is. */
export function serviceDifferences({ delivery }: Books, services: ServicesBook): string[] {
  const sum = (field: 'accepted' | 'failed'): number =>
    services.push_services.reduce((all, each) => all + each[field], 0);
  const checks: [holds: boolean, sentence: string][] = [
    [
      sum('accepted') === delivery.success_count,
      `analytics count ${sum('accepted')} accepted by push services, the delivery ${delivery.success_count}`,
    ],
    [
      sum('failed') === delivery.failed_count,
      `analytics count ${sum('failed')} failed by push services, the delivery ${delivery.failed_count}`,
    ],
    [services.unrecorded === 0, `analytics lack ${services.unrecorded} messages`],
  ];
  return checks.filter(([holds]) => !holds).map(([, sentence]) => sentence);
}

/** @returns a sentence for each way in which the books do not agree; empty where they do. */
export function differences(
  books: Books,
  expected: { readonly subscribers: number; readonly decrypted: number },
): string[] {
  const { delivery, push_service: pushService, clickhouse } = books;
  const checks: [holds: boolean, sentence: string][] = [
    [
      delivery.total_subscribers === expected.subscribers,
      `the delivery counts ${delivery.total_subscribers} subscribers, ${expected.subscribers} were imported`,
    ],
    [
      delivery.total_subscribers ===
        delivery.success_count + delivery.failed_count + delivery.capped_subscribers,
      'total is not success + failed + capped',
    ],
    [
      pushService.distinct === delivery.success_count,
      `the push service served ${pushService.distinct} subscribers, the delivery counts ${delivery.success_count}`,
    ],
    [
      clickhouse.accepted === delivery.success_count,
      `ClickHouse counts ${clickhouse.accepted} accepted, the delivery ${delivery.success_count}`,
    ],
    [pushService.duplicates === 0, `${pushService.duplicates} messages arrived more than once`],
    [
      pushService.decrypted === expected.decrypted,
      `${pushService.decrypted} messages were decrypted, ${expected.decrypted} should have been`,
    ],
  ];
  return checks.filter(([holds]) => !holds).map(([, sentence]) => sentence);
}
