import './colors.css';

/** Colours of series, in the order they are taken: each at least 3:1 on the ground, in light and dark. */
export const seriesColors: readonly string[] = [
  'var(--series-1)',
  'var(--series-2)',
  'var(--series-3)',
  'var(--series-4)',
  'var(--series-5)',
  'var(--series-6)',
];
export const seriesColor = (index: number): string =>
  seriesColors[index % seriesColors.length] ?? 'var(--series-1)';

/** One colour a measure, in every chart that shows it. */
export const measureColor = {
  readers: seriesColor(0),
  accepted: seriesColor(4),
  displayed: seriesColor(3),
  clicks: seriesColor(2),
  earnings: seriesColor(1),
  closed: 'var(--series-quiet)',
  failed: seriesColor(5),
} as const;
