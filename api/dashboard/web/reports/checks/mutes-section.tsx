import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatUtcDay } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/section.tsx';
import type { Mute } from './answers.ts';
import { seriesName } from './series-name.ts';
import { type CheckProps, useQuestion } from './use-question.ts';

const words = t.reportChecks.unusual;

/** Series of which nothing is shown, by whom and until when. */
export function MutesSection({
  onMuted,
  ...props
}: CheckProps & { readonly onMuted: () => void }): ReactNode {
  const mutes = useQuestion<{ readonly data: readonly Mute[] }>(props, {
    method: 'GET',
    path: '/anomalies/mutes',
  });
  if (mutes.data === undefined) return null;
  const end = async ({ domain, product, country }: Mute): Promise<void> => {
    const body = { domain, product, country, until: null };
    await props.ask({ method: 'POST', path: '/anomalies/mutes', body });
    onMuted();
  };
  const columns: readonly Column<Mute>[] = [
    { key: 'series', header: words.series, names: true, cell: seriesName },
    { key: 'until', header: words.until, cell: ({ until }) => formatUtcDay(new Date(until)) },
    { key: 'by', header: words.mutedBy, cell: ({ muted_by: by }) => by ?? t.reportChecks.gone },
    { key: 'reason', header: t.reportChecks.differences.reason, cell: ({ reason }) => reason || '–' },
    {
      key: 'acts',
      header: t.table.acts,
      acts: true,
      cell: (mute) => (
        <ConfirmedButton
          label={words.end}
          name={words.endOf(seriesName(mute))}
          title={words.endOf(seriesName(mute))}
          text={words.endAbout}
          act={words.end}
          harmless
          run={() => end(mute)}
          done={words.ended(seriesName(mute))}
          button={{ size: 'xs' }}
        />
      ),
    },
  ];
  return (
    <Section title={words.mutes}>
      {mutes.data.data.length === 0 ? (
        <Text>{words.mutesNone}</Text>
      ) : (
        <DataTable label={words.mutes} columns={columns} rows={mutes.data.data} keyOf={seriesName} />
      )}
    </Section>
  );
}
