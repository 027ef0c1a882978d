import { cellText } from './cells.ts';
import { escapeHtml } from './escape-html.ts';
import type { StackChart } from './report.ts';
import { partColours } from './style-sheet.ts';

export function stackChart({ title, unit, bars }: StackChart): string {
  const parts = [...new Set(bars.flatMap((bar) => bar.parts.map(({ part }) => part)))];
  const colour = (part: string): string => `p${parts.indexOf(part) % partColours}`;
  const sums = bars.map((bar) => bar.parts.reduce((sum, { value }) => sum + value, 0));
  const longest = Math.max(...sums, Number.MIN_VALUE);

  const drawn = bars.map((bar, at) => {
    const pieces = bar.parts.map(({ part, value }) => {
      const told = escapeHtml(`${part}: ${cellText(value)} ${unit}`);
      const width = ((100 * value) / longest).toFixed(2);
      return `<div class="${colour(part)}" style="width:${width}%" title="${told}"></div>`;
    });
    return `<div class="bar"><div class="name"><span>${escapeHtml(bar.name)}</span><span>${cellText(sums[at] ?? 0)} ${escapeHtml(unit)}</span></div>
<div class="track">${pieces.join('')}</div></div>`;
  });
  const legend = parts.map((part) => `<span><i class="${colour(part)}"></i>${escapeHtml(part)}</span>`);
  return `<section><h2>${escapeHtml(title)}</h2><p class="legend">${legend.join('')}</p>
<div class="bars">${drawn.join('\n')}</div></section>`;
}
