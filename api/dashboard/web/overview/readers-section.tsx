import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lastDays } from '../data/analytics/period.ts';
import { growthQuery, reachabilityQuery } from '../data/analytics/queries.ts';
import { useApp } from '../data/apps/use-app.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber, formatShare } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Figures } from '../ui/figures.tsx';

const DAYS = 7;
const words = t.overview;

/** How many readers, whom of them one can reach, and how many came and left within a week. */
export function ReadersSection(): ReactNode {
  const app = useApp();
  const api = useApi();
  const growth = useQuery(growthQuery(api, app.identifier, lastDays(DAYS))).data?.growth;
  const reach = useQuery(reachabilityQuery(api, app.identifier)).data;
  const joined = growth?.reduce((sum, day) => sum + day.new_subscribers, 0);
  const left = growth?.reduce((sum, day) => sum + day.left_subscribers, 0);
  const net = joined === undefined || left === undefined ? undefined : joined - left;
  return (
    <Figures
      label={words.readers}
      figures={[
        { label: words.active, value: formatNumber(app.active_subscriber_count), note: words.activeHint },
        {
          label: words.reachable,
          value: shown(reach?.reachable),
          note: words.reachableHint(
            reach === undefined ? '…' : formatShare(reach.reachable, reach.subscribers),
          ),
        },
        { label: words.joined, value: shown(joined), note: words.week },
        { label: words.left, value: shown(left), note: words.leftHint },
        { label: words.net, value: signed(net), note: words.netHint },
      ]}
    />
  );
}

const shown = (count: number | undefined): string => (count === undefined ? '…' : formatNumber(count));
const signed = (count: number | undefined): string =>
  count !== undefined && count > 0 ? `+${formatNumber(count)}` : shown(count);
