/** Ad statistics of the last four weeks: made up, and the same for the same day. */
export interface DemoStatistics {
  /** For `broadside ad-stats import`. */
  readonly csv: string;
  /** For `broadside fx import`. */
  readonly rates: string;
  /** The last two weeks; the two before them are for comparison. */
  readonly selectedDate: readonly [string, string];
  readonly completeUntil: string;
  /** Impressions of those two weeks on the domains that the demo's token sees. */
  readonly impressions: number;
}

const DAY_MS = 86_400_000;
const DAYS = 28;
const SHOWN = 14;

/** Impressions a day, and the earnings of a thousand. */
const places = [
  { domain: 'news.example', device: 'mobile', currency: 'EUR', impressions: 42_000, ecpm: 1.9 },
  { domain: 'news.example', device: 'desktop', currency: 'EUR', impressions: 18_500, ecpm: 2.6 },
  { domain: 'news.example', device: 'tablet', currency: 'USD', impressions: 3_900, ecpm: 2.2 },
  { domain: 'sport.example', device: 'mobile', currency: 'USD', impressions: 27_000, ecpm: 1.5 },
  { domain: 'sport.example', device: 'desktop', currency: 'EUR', impressions: 9_800, ecpm: 3.1 },
  { domain: 'elsewhere.example', device: 'mobile', currency: 'EUR', impressions: 61_000, ecpm: 1.2 },
] as const;

export const seenDomains = ['news.example', 'sport.example'] as const;

export function makeStatistics(nowMs: number): DemoStatistics {
  const last = Math.floor(nowMs / DAY_MS) - 1;
  const days = Array.from({ length: DAYS }, (_, n) => last - DAYS + 1 + n);
  const rows = days.flatMap((day) => places.map((place, n) => rowOf(place, day, n)));
  const shown = rows.filter(
    ({ day, domain }) => day > last - SHOWN && seenDomains.some((one) => one === domain),
  );
  return {
    csv: [
      'day,domain,device,impressions,earnings,currency',
      ...rows.map(({ day, domain, device, impressions, earnings, currency }) =>
        [dayText(day), domain, device, impressions, earnings, currency].join(','),
      ),
    ].join('\n'),
    rates: [
      'day,currency,per_eur',
      ...days.map((day) => `${dayText(day)},USD,${(1.08 + share(day, 9) / 25).toFixed(4)}`),
    ].join('\n'),
    selectedDate: [dayText(last - SHOWN + 1), dayText(last)],
    completeUntil: `${dayText(last + 1)}T00:00:00Z`,
    impressions: shown.reduce((sum, { impressions }) => sum + impressions, 0),
  };
}

function rowOf(place: (typeof places)[number], day: number, n: number) {
  // Fewer read on Saturdays and Sundays (1970-01-01 was a Thursday), and things get better.
  const weekend = [2, 3].includes(day % 7) ? 0.7 : 1;
  const impressions = Math.round(place.impressions * weekend * (0.9 + share(day, n) / 5));
  const earnings = ((impressions * place.ecpm * (0.9 + share(day, n + 50) / 5)) / 1_000).toFixed(6);
  const { domain, device, currency } = place;
  return { day, domain, device, currency, impressions, earnings };
}

/** Looks like chance, from 0 to 1. */
const share = (day: number, salt: number): number =>
  (((day * 2_654_435_761 + salt * 40_503_000_001) >>> 7) % 1_000) / 1_000;

const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
