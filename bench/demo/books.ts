/** The three books of one delivery: what Postgres, the push service and ClickHouse say. */
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
