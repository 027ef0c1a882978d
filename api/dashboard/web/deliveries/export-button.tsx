import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Cell, downloadCsv } from '../charts/csv.ts';
import { exportDeliveries, type ListedDelivery, MOST_EXPORTED } from '../data/deliveries/queries.ts';
import type { DeliveriesSearch } from '../data/deliveries/search.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { IconDownload } from '../ui/icons.ts';
import { toastDone, toastProblem } from '../ui/toast.ts';

const words = t.deliveries;

interface Props {
  readonly app: string;
  readonly search: DeliveriesSearch;
}

/** The list as it is filtered and sorted, as a file: all its pages, up to a bound that it says. */
export function ExportButton({ app, search }: Props): ReactNode {
  const api = useApi();
  const read = useMutation({
    mutationFn: () => exportDeliveries(api, app, search),
    onSuccess: ({ rows, total }) => {
      downloadCsv('deliveries.csv', headers, rows.map(cellsOf));
      if (total > rows.length) toastDone(words.exportedPart(formatNumber(rows.length), formatNumber(total)));
    },
    onError: toastProblem,
  });
  return (
    <Button
      variant="default"
      size="xs"
      loading={read.isPending}
      leftSection={<IconDownload size={14} aria-hidden />}
      aria-label={words.exportAbout(formatNumber(MOST_EXPORTED))}
      onClick={() => read.mutate()}
    >
      {t.charts.csv}
    </Button>
  );
}

/** By the names of the API: what is done with a file reads them. */
const fields = [
  'id',
  'title',
  'name',
  'url',
  'status',
  'scheduled_at',
  'started_at',
  'completed_at',
  'total_subscribers',
  'success_count',
  'failed_count',
  'capped_subscribers',
  'click_count',
  'click_rate',
  'campaign_id',
  'campaign_role',
  'corrects_delivery_id',
] as const satisfies readonly (keyof ListedDelivery)[];
const headers: readonly string[] = fields;

/** Clicks that are not known are none of zero. */
const cellsOf = (delivery: ListedDelivery): readonly Cell[] =>
  fields.map((field) =>
    !delivery.clicks_known && field.startsWith('click_') ? '' : (delivery[field] ?? ''),
  );
