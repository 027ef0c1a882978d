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
