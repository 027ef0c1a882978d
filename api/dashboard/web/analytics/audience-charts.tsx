import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Bars } from '../charts/bars.tsx';
import { ChartCard } from '../charts/chart-card.tsx';
import type { Overview, Reachability } from '../data/analytics/queries.ts';
import { readSearch, type SubscribersSearch } from '../data/subscribers/search.ts';
import { countryName } from '../format/countries.ts';
import { formatNumber } from '../format/format.ts';
import { knownBrowsers } from '../format/known-names.ts';
import { t } from '../texts/t.ts';

const words = t.analytics;
/** Bars of a chart; the table has all. */
const MOST_BARS = 8;

interface Props {
  readonly app: string;
  readonly overview: Overview;
}

export const DevicesChart = ({ app, overview }: Props): ReactNode => (
  <Audience
    app={app}
    title={words.devices}
    file="devices"
    rows={Object.entries(overview.subscribers_by_device)
      .map(([type, value]) => ({
        name: t.subscribers.devices[type] ?? words.unknown,
        value,
        search: readSearch({ device: type }),
      }))
      .toSorted((a, b) => b.value - a.value)}
  />
);

/** @param reachability undefined: not known yet, or not now. */
export const BrowsersChart = ({
  app,
  overview,
  reachability,
}: Props & { readonly reachability: Reachability | undefined }): ReactNode => (
  <Audience
    app={app}
    title={words.browsers}
    file="browsers"
    rows={withUnknown(
      overview,
      overview.subscribers_by_browser.map(({ browser, count }) => ({
        name: browserName(browser),
        value: count,
        search: { browser },
        ...reachableOf(reachability, browser),
      })),
    )}
  />
);

export const CountriesChart = ({ app, overview }: Props): ReactNode => (
  <Audience
    app={app}
    title={words.countries}
    file="countries"
    rows={withUnknown(
      overview,
      overview.subscribers_by_country.map(({ country, count }) => ({
        name: countryName(country),
        value: count,
        search: { country },
      })),
    )}
  />
);

/** Imports may name neither a browser nor a country: those subscribers are there all the same. */
function withUnknown(
  { active_subscribers: active }: Overview,
  rows: AudienceProps['rows'],
): AudienceProps['rows'] {
  const unknown = active - rows.reduce((sum, { value }) => sum + value, 0);
  return unknown <= 0
    ? rows
    : [...rows, { name: words.unknown, value: unknown }].toSorted((a, b) => b.value - a.value);
}

function reachableOf(reachability: Reachability | undefined, name: string): { readonly reachable?: number } {
  const same = reachability?.browsers.filter(({ browser }) => browser?.toLowerCase() === name);
  return same === undefined ? {} : { reachable: same.reduce((sum, { reachable }) => sum + reachable, 0) };
}

/** The API counts names in lower case. */
const browserName = (browser: string): string =>
  knownBrowsers.find((known) => known.toLowerCase() === browser) ??
  `${browser.charAt(0).toUpperCase()}${browser.slice(1)}`;

interface AudienceProps {
  readonly app: string;
  readonly title: string;
  readonly file: string;
  readonly rows: readonly {
    readonly name: string;
    readonly value: number;
    readonly reachable?: number;
    /** Of the subscribers that it counts. Absent: no filter finds them alone. */
    readonly search?: SubscribersSearch;
  }[];
}

function Audience({ app, title, file, rows }: AudienceProps): ReactNode {
  const hasReach = rows.some(({ reachable }) => reachable !== undefined);
  const sum = rows.reduce((all, { value }) => all + value, 0);
  return (
    <ChartCard
      title={title}
      description={words.nowAbout}
      file={file}
      empty={sum === 0 && words.audienceEmpty}
      table={{
        columns: [
          { header: title },
          { header: words.subscribers, format: formatNumber },
          ...(hasReach ? [{ header: words.reachable, format: formatNumber }] : []),
        ],
        rows: rows.map(({ name, value, reachable = 0 }) => [name, value, ...(hasReach ? [reachable] : [])]),
        lead: (line, text) =>
          rows[line]?.search === undefined ? (
            text
          ) : (
            <Link
              to="/apps/$app/subscribers"
              params={{ app }}
              search={{ status: 'subscribed', ...rows[line]?.search }}
            >
              {text}
            </Link>
          ),
      }}
    >
      <Bars label={words.subscribers} rows={firstOf(rows)} whole={sum} names={104} />
    </ChartCard>
  );
}

/** The largest, and all others as one. */
function firstOf(rows: AudienceProps['rows']): readonly { readonly name: string; readonly value: number }[] {
  if (rows.length <= MOST_BARS) return rows;
  const others = rows.slice(MOST_BARS - 1).reduce((sum, { value }) => sum + value, 0);
  return [...rows.slice(0, MOST_BARS - 1), { name: words.others, value: others }];
}
