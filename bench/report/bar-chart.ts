import { cellText } from './cells.ts';
import { escapeHtml } from './escape-html.ts';
import type { Bar, BarChart } from './report.ts';

/** Bars of elements, not of SVG: names wrap and bars shrink with the screen by themselves. */
export function barChart({ title, unit, bars }: BarChart): string {
  const longest = Math.max(
    ...bars.map(({ value, high }) => Math.max(value, high ?? value)),
    Number.MIN_VALUE,
  );
  const percent = (value: number): string => `${((100 * value) / longest).toFixed(2)}%`;

  function whisker({ low, high }: Bar): string {
    if (low === undefined || high === undefined || low === high) return '';
    return `<div class="whisker" style="left:${percent(low)};width:${percent(high - low)}"></div>`;
  }

  const drawn = bars.map(
    (bar) => `<div class="bar${bar.own === true ? ' own' : ''}">
<div class="name"><span>${escapeHtml(bar.name)}</span><span>${cellText(bar.value)} ${escapeHtml(unit)}</span></div>
<div class="track"><div class="fill" style="width:${percent(bar.value)}"></div>${whisker(bar)}</div></div>`,
  );
  return `<section><h2>${escapeHtml(title)}</h2><div class="bars">${drawn.join('\n')}</div></section>`;
}
