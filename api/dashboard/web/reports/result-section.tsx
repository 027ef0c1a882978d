import { Alert, Button, Checkbox, Group, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { formatNumber, formatUtcDay } from '../format/format.ts';
import { oldRatesText, rateSources } from '../format/rate-sources.ts';
import { t } from '../texts/t.ts';
import { Copy } from '../ui/copy.tsx';
import { IconDownload } from '../ui/icons.ts';
import { Lines } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';
import { textOf } from './address.ts';
import { asCurl } from './as-curl.ts';
import { comparedDays } from './compared.ts';
import { PivotBar } from './pivot-bar.tsx';
import { PivotTable } from './pivot-table.tsx';
import { type PivotView, pivotCsv, pivotViewOf } from './pivot-view.ts';
import { daysIn, type Format, formats, pivotIn, type ReportDraft } from './report.ts';
import type { MadeReport } from './result.ts';
import classes from './result-section.module.css';
import { ResultTable, type ResultTableProps } from './result-table.tsx';
import { certaintyOf } from './times.ts';
import { Trail } from './trail.tsx';
import { valueName } from './value-name.ts';

// Charts are heavy, and only this part of the page has one.
const ResultChart = lazy(async () => ({ default: (await import('./result-chart.tsx')).ResultChart }));

const words = t.reports;

export interface ResultSectionProps extends ResultTableProps {
  /** The format that is being fetched. */
  readonly busy: Format | null;
  /** What is asked: another one than `report`, while its answer is on its way. */
  readonly shown: ReportDraft;
  readonly isOld: boolean;
  readonly canDownload: boolean;
  readonly onDownload: (format: Format, hasSources: boolean) => void;
  /** Shows another report. */
  readonly onGo: (draft: ReportDraft) => void;
  /** Shows this one otherwise. */
  readonly onLook: (changes: Partial<ReportDraft>) => void;
}

/** A report that was made: as a chart, as a table, and to take away. */
export function ResultSection(props: ResultSectionProps): ReactNode {
  const { report, shown, isOld, onSort, onDrill, onGo, onLook } = props;
  const { draft, answer } = report;
  const view = useMemo(() => pivotViewOf(report), [report]);
  return (
    <Section title={words.result} description={<Notes report={report} />}>
      <Trail draft={shown} onGo={onGo} />
      <PivotBar draft={shown} onGo={onGo} onLook={onLook} />
      <ComparisonNotes report={report} />
      {answer.data.length === 0 && (view === null || view.pivot.lines.length === 0) ? (
        <Text>{words.resultEmpty}</Text>
      ) : (
        <>
          <Downloads {...props} view={view} />
          <Suspense fallback={<Lines />}>
            <ResultChart report={report} view={view} />
          </Suspense>
          <div aria-busy={isOld} className={isOld ? classes.old : undefined}>
            {view === null ? (
              <ResultTable report={report} onSort={onSort} onDrill={onDrill} />
            ) : (
              <PivotTable
                key={textOf([draft.dimensions, draft.columns, draft.trail])}
                view={view}
                draft={draft}
                currency={answer.meta.currency}
                onLook={onLook}
                onDrill={onDrill}
              />
            )}
          </div>
        </>
      )}
    </Section>
  );
}

type DownloadsProps = ResultSectionProps & { readonly view: PivotView | null };

function Downloads({ report, view, busy, canDownload, onDownload }: DownloadsProps): ReactNode {
  const [hasSources, setSources] = useState(false);
  return (
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
          onClick={() => onDownload(format, hasSources)}
        >
          {words.formats[format]}
        </Button>
      ))}
      {view !== null && <CopyCsv view={view} />}
      <Copy text={asCurl(report.draft)} label={words.copyAsCurl} />
      <Checkbox
        size="xs"
        label={words.withSources}
        checked={hasSources}
        onChange={({ currentTarget }) => setSources(currentTarget.checked)}
      />
    </Group>
  );
}

/** A pivot is this page's own: files have its cells as rows. */
function CopyCsv({ view }: { view: PivotView }): ReactNode {
  const text = pivotCsv(view, {
    rows: words.fields[view.rows],
    total: words.total,
    rest: words.pivot.rest,
    columnOf: ({ value, count }) => value ?? words.pivot.others(count),
    figures: [words.pivot.before, words.pivot.difference, words.pivot.percent],
  });
  return <Copy text={text} label={words.pivot.copyCsv} />;
}

const MOST_DAYS = 10;
const daysText = (days: readonly string[]): string =>
  [
    ...days.slice(0, MOST_DAYS).map((day) => formatUtcDay(new Date(day))),
    ...(days.length > MOST_DAYS ? [words.pivot.moreDays(days.length - MOST_DAYS)] : []),
  ].join('; ');

/** With what it is compared, and what distorts that. */
function ComparisonNotes({ report }: { report: MadeReport }): ReactNode {
  const { draft, earlier = null, lacking = null } = report;
  if (draft.compare === '') return null;
  const days = comparedDays(daysIn(draft), draft.compare);
  const lines = [
    ...(lacking === null || lacking.now.length === 0 ? [] : [words.pivot.lackingNow(daysText(lacking.now))]),
    ...(lacking === null || lacking.before.length === 0
      ? []
      : [words.pivot.lackingBefore(daysText(lacking.before))]),
    ...(earlier === 'too-many' ? [words.pivot.tooManyEarlier] : []),
  ];
  return (
    <div role="status">
      <Text size="sm">
        {words.pivot.comparedWith(formatUtcDay(new Date(days.from)), formatUtcDay(new Date(days.to)))}
      </Text>
      {lines.length > 0 && (
        <Alert color="yellow" mt="xs">
          {lines.map((line) => (
            <Text key={line} size="sm">
              {line}
            </Text>
          ))}
        </Alert>
      )}
    </div>
  );
}

/** Caveats of the figures. */
function Notes({ report: { draft, answer } }: { report: MadeReport }): ReactNode {
  const { meta } = answer;
  return (
    <span role="status">
      {[
        ...oldRatesText(meta.old_rates),
        ...(pivotIn(draft) === null
          ? [words.rows(formatNumber(meta.count), formatNumber(meta.total_count))]
          : meta.count < meta.total_count
            ? [words.pivot.cut(formatNumber(meta.count), formatNumber(meta.total_count))]
            : []),
        certaintyOf(meta),
        ...(meta.timezone === 'UTC' ? [] : [words.daysIn(meta.timezone)]),
        ...(meta.source_days === undefined ? [] : [words.wholeDays(sourcesOf(meta.source_days))]),
        ...(meta.restated ? [words.restated] : []),
        ...(meta.rates.length === 0 ? [] : [words.rates(rateSources(meta.rates))]),
        ...(meta.left_out.length === 0
          ? []
          : [words.leftOut(meta.left_out.map(({ currency }) => currency).join(', '))]),
        ...(meta.filter_values ?? []).map(({ dimension, value, read_as: code }) =>
          code === null
            ? words.valueUnknown(words.fields[dimension], value)
            : words.valueReadAs(
                words.fields[dimension],
                value,
                code === '' ? t.reportChecks.unusual.notStated : valueName(dimension, code),
              ),
        ),
      ].join(' ')}
    </span>
  );
}

const sourcesOf = (days: readonly { readonly source: string; readonly timezone: string }[]): string =>
  days.map(({ source, timezone }) => `${source} (${timezone})`).join(', ');
