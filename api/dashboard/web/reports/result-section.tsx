import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { formatNumber, formatUtcTime } from '../format/format.ts';
import { rateSources } from '../format/rate-sources.ts';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Lines } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';
import { type Format, formats } from './report.ts';
import { columnsOf, type MadeReport, type Row } from './result.ts';

// Charts are heavy, and only this part of the page has one.
const ResultChart = lazy(async () => ({ default: (await import('./result-chart.tsx')).ResultChart }));

const PER_PAGE = 50;
const words = t.reports;

export interface ResultSectionProps {
  readonly report: MadeReport;
  /** The format that is being fetched. */
  readonly busy: Format | null;
  readonly canDownload: boolean;
  readonly onDownload: (format: Format) => void;
}

/** A report that was made: as a chart, as a table, and to take away. */
export function ResultSection(props: ResultSectionProps): ReactNode {
  const { report } = props;
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
          <ResultTable report={report} />
        </>
      )}
    </Section>
  );
}

const Downloads = ({ busy, canDownload, onDownload }: ResultSectionProps): ReactNode => (
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
  </Group>
);

/** Caveats of the figures. */
function Notes({ report: { answer } }: { report: MadeReport }): ReactNode {
  const { meta } = answer;
  return (
    <span role="status">
      {[
        words.rows(formatNumber(meta.count), formatNumber(meta.total_count)),
        meta.complete_until === null
          ? words.incomplete
          : words.completeUntil(formatUtcTime(meta.complete_until)),
        ...(meta.restated ? [words.restated] : []),
        ...(meta.rates.length === 0 ? [] : [words.rates(rateSources(meta.rates))]),
        ...(meta.left_out.length === 0
          ? []
          : [words.leftOut(meta.left_out.map(({ currency }) => currency).join(', '))]),
      ].join(' ')}
    </span>
  );
}

interface Line {
  readonly number: number;
  readonly row: Row;
}

function ResultTable({ report }: { report: MadeReport }): ReactNode {
  const [page, setPage] = useState(1);
  const { data, meta } = report.answer;
  const columns = columnsOf(report).map(
    ({ key, header, numeric, text }, index): Column<Line> => ({
      key,
      header,
      numeric,
      names: index === 0,
      cell: ({ row }) => text(row),
    }),
  );
  const last = Math.ceil(data.length / PER_PAGE);
  const from = (Math.min(page, last) - 1) * PER_PAGE;
  const lines = data.slice(from, from + PER_PAGE).map((row, index) => ({ number: from + index, row }));
  return (
    <Stack gap="sm">
      <DataTable
        label={words.result}
        columns={columns}
        rows={lines}
        keyOf={({ number }) => number}
        footer={meta.totals === undefined ? undefined : footerOf(report, meta.totals)}
        paging={{
          meta: {
            current_page: Math.min(page, last),
            last_page: last,
            from: from + 1,
            to: from + lines.length,
            total: data.length,
          },
          onPage: setPage,
        }}
      />
    </Stack>
  );
}

/** A cell for each column: of dimensions there is no total. */
const footerOf = (report: MadeReport, totals: Row): ReactNode[] =>
  columnsOf(report).map(({ numeric, text }, index) =>
    numeric ? text(totals) : index === 0 ? words.total : '',
  );
