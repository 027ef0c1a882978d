import type { ReportedEvent } from '../../engine/contract/topics.ts';

/** A click of subscriber 0 on delivery 1 of app 1; a test changes what it cares about. */
export const buildEvent = (changes: Partial<ReportedEvent> = {}): ReportedEvent => ({
  id: 'event-0001',
  app_id: 1,
  delivery_id: 1,
  seq: 0,
  type: 'clicked',
  action: '',
  at: Date.UTC(2026, 0, 15, 12),
  ...changes,
});
