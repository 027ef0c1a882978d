import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Comparison, type Range, rangeBefore } from '../data/analytics/period.ts';
import { type FunnelStats, funnelQuery, type Growth, growthQuery } from '../data/analytics/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber, formatPercent } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { type Figure, Figures } from '../ui/figures.tsx';
import { Loaded } from '../ui/loading.tsx';
import { changeNote } from './change.ts';

const words = t.analytics;

interface Props {
  readonly app: string;
  readonly range: Range;
  readonly compare: Comparison | undefined;
  readonly activeSubscribers: number;
}

/** The period in a few numbers, each beside what it was before. */
export function PeriodFigures({ app, range, compare, activeSubscribers }: Props): ReactNode {
  const api = useApi();
  const before = rangeBefore(range, compare ?? 'previous');
  const enabled = compare !== undefined;
  const [growth, funnel] = [useQuery(growthQuery(api, app, range)), useQuery(funnelQuery(api, app, range))];
  const growthBefore = useQuery({ ...growthQuery(api, app, before), enabled });
  const funnelBefore = useQuery({ ...funnelQuery(api, app, before), enabled });
  return (
    <Loaded query={growth} placeholder={<FiguresSoon />}>
      {(grown) => (
        <Loaded query={funnel} placeholder={<FiguresSoon />}>
          {(sent) => (
            <Figures
              label={words.figures}
              figures={figuresOf(
                { growth: grown, funnel: sent },
                enabled ? { growth: growthBefore.data, funnel: funnelBefore.data } : null,
                activeSubscribers,
              )}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

/** Where they will be: what is below stays in its place. */
export const FiguresSoon = (): ReactNode => (
  <div aria-busy="true">
    <Figures
      label={words.figures}
      figures={labels.map((label, at) => ({
        label,
        value: '…',
        ...(at === 0 ? { note: words.asOfNow } : {}),
      }))}
    />
  </div>
);

/** Of the figures, in their order. */
const labels = [words.totalSubscribers, words.growth, words.sent, words.clicks, words.clickRate];

/** Null: nothing is compared. Undefined parts are not there yet. */
type Before = { readonly growth: Growth | undefined; readonly funnel: FunnelStats | undefined } | null;

function figuresOf(
  { growth, funnel: { totals } }: { readonly growth: Growth; readonly funnel: FunnelStats },
  before: Before,
  activeSubscribers: number,
): Figure[] {
  const note = (now: number, then: number | undefined): Pick<Figure, 'note'> =>
    before === null ? {} : { note: changeNote(now, then) };
  const then = before?.funnel?.totals;
  const joined = joinedIn(growth);
  return [
    { label: words.totalSubscribers, value: formatNumber(activeSubscribers), note: words.asOfNow },
    {
      label: words.growth,
      value: formatNumber(joined),
      ...note(joined, before?.growth === undefined ? undefined : joinedIn(before.growth)),
    },
    { label: words.sent, value: formatNumber(totals.accepted), ...note(totals.accepted, then?.accepted) },
    { label: words.clicks, value: formatNumber(totals.clicked), ...note(totals.clicked, then?.clicked) },
    {
      label: words.clickRate,
      value: formatPercent(clickRate(totals)),
      ...note(clickRate(totals), then && clickRate(then)),
    },
  ];
}

/** Percent of what was accepted, as on the page of a delivery. */
const clickRate = ({ accepted, clicked }: FunnelStats['totals']): number =>
  accepted === 0 ? 0 : (100 * clicked) / accepted;

const joinedIn = ({ growth }: Growth): number => growth.reduce((sum, day) => sum + day.new_subscribers, 0);
