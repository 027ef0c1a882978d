import { Button, Group, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { formatNumber, formatUtcTime } from '../format/format.ts';
import { oldRatesText, rateSources } from '../format/rate-sources.ts';
import { t } from '../texts/t.ts';
import { Copy } from '../ui/copy.tsx';
import { IconDownload } from '../ui/icons.ts';
import { Lines } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';
import { asCurl } from './as-curl.ts';
import { type Format, formats } from './report.ts';
import type { MadeReport } from './result.ts';
import { ResultTable, type ResultTableProps } from './result-table.tsx';

// Charts are heavy, and only this part of the page has one.
const ResultChart = lazy(async () => ({ default: (await import('./result-chart.tsx')).ResultChart }));

const words = t.reports;

export interface ResultSectionProps extends ResultTableProps {
  /** The format that is being fetched. */
  readonly busy: Format | null;
  readonly canDownload: boolean;
  readonly onDownload: (format: Format) => void;
}

/** A report that was made: as a chart, as a table, and to take away. */
export function ResultSection(props: ResultSectionProps): ReactNode {
  const { report, onSort } = props;
  const { data } = report.answer;
  return (
    <Section title={words.result} description={<Notes report={report} />}>
      {data.length === 0 ? (
        <Text>{words.resultEmpty}</Text>
      ) : (
        <>
          <Downloads {...props} />
          <Suspense fallback={<Lines />}>
            <ResultChart report={report} />
          </Suspense>
          <ResultTable report={report} onSort={onSort} />
        </>
      )}
    </Section>
  );
}

const Downloads = ({ report, busy, canDownload, onDownload }: ResultSectionProps): ReactNode => (
  <Group gap="xs">
    {formats.map((format) => (
      <Button
        key={format}
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        aria-label={words.downloadAs(words.formats[format])}
        loading={busy === format}
        disabled={busy !== null || !canDownload}
        onClick={() => onDownload(format)}
      >
        {words.formats[format]}
      </Button>
    ))}
    <Copy text={asCurl(report.draft)} label={words.copyAsCurl} />
  </Group>
);

/** Caveats of the figures. */
function Notes({ report: { answer } }: { report: MadeReport }): ReactNode {
  const { meta } = answer;
  return (
    <span role="status">
      {[
        ...oldRatesText(meta.old_rates),
        words.rows(formatNumber(meta.count), formatNumber(meta.total_count)),
        meta.complete_until === null
          ? words.incomplete
          : words.completeUntil(formatUtcTime(meta.complete_until)),
        ...(meta.timezone === 'UTC' ? [] : [words.daysIn(meta.timezone)]),
        ...(meta.source_days === undefined ? [] : [words.wholeDays(sourcesOf(meta.source_days))]),
        ...(meta.restated ? [words.restated] : []),
        ...(meta.rates.length === 0 ? [] : [words.rates(rateSources(meta.rates))]),
        ...(meta.left_out.length === 0
          ? []
          : [words.leftOut(meta.left_out.map(({ currency }) => currency).join(', '))]),
      ].join(' ')}
    </span>
  );
}

const sourcesOf = (days: readonly { readonly source: string; readonly timezone: string }[]): string =>
  days.map(({ source, timezone }) => `${source} (${timezone})`).join(', ');
