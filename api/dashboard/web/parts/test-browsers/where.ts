import type { TestBrowser } from '../../data/test-browsers/queries.ts';
import { t } from '../../texts/t.ts';

/** What kind of browser it is. */
export const whereOf = ({ browser_name, os_name, device_type }: TestBrowser): string =>
  [browser_name, os_name, device_type === null ? null : (t.subscribers.devices[device_type] ?? device_type)]
    .filter((each) => each !== null)
    .join(', ') || t.subscribers.unknown;
