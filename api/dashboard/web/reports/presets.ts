import type { ReportDraft } from './report.ts';

/** What an analyst asks most: each sets the columns and their order, and leaves the period and the filters. */
type Preset = Pick<ReportDraft, 'dimensions' | 'metrics' | 'sortBy' | 'direction'>;

const money = ['impressions', 'earnings', 'ecpm'] as const;
const byEarnings = { metrics: money, sortBy: 'earnings', direction: 'desc' } as const;

export const presets = {
  days: { dimensions: ['day'], metrics: money, sortBy: 'day', direction: 'asc' },
  sites: { dimensions: ['domain'], ...byEarnings },
  countries: { dimensions: ['country'], ...byEarnings },
  devices: { dimensions: ['device', 'os'], ...byEarnings },
  adUnits: { dimensions: ['domain', 'ad_unit'], ...byEarnings },
  deals: { dimensions: ['deal_name', 'deal_type'], ...byEarnings },
  video: {
    dimensions: ['domain'],
    metrics: ['impressions', 'first_quartile', 'midpoint', 'third_quartile', 'complete'],
    sortBy: 'impressions',
    direction: 'desc',
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as readonly PresetName[];
