import { barChart } from './bar-chart.ts';
import { cellText, isNumeric } from './cells.ts';
import { escapeHtml } from './escape-html.ts';
import { flameChart } from './flame-chart.ts';
import type { Chart, Report, Table } from './report.ts';
import { stackChart } from './stack-chart.ts';
import { styleSheet } from './style-sheet.ts';

/** One file that asks no host for anything: styles and drawings are in it, scripts are not needed. */
export function page(report: Report, now: Date): string {
  const day = now.toISOString().slice(0, 10);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(report.title)}</title>
<style>${styleSheet}</style>
</head>
<body>
<main>
<h1><code>${escapeHtml(report.title)}</code></h1>
<p class="when">${day}, ${escapeHtml(runtime())}</p>
${report.charts.map(draw).join('\n')}
${report.tables.map(tableHtml).join('\n')}
${report.notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('\n')}
</main>
</body>
</html>
`;
}

const runtime = (): string => `Node ${process.versions.node} on ${process.platform} ${process.arch}`;

function draw(chart: Chart): string {
  switch (chart.kind) {
    case 'bars':
      return barChart(chart);
    case 'stacks':
      return stackChart(chart);
    case 'flame':
      return flameChart(chart);
  }
}

/** Scrolls inside itself where a phone is narrower than it. */
function tableHtml({ title, heads, rows }: Table): string {
  const side = heads.map((_, column) => (isNumeric(rows, column) ? ' class="number"' : ''));
  const row = (tag: string, cells: readonly string[]): string =>
    `<tr>${cells.map((cell, column) => `<${tag}${side[column] ?? ''}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  return `<section>${title === undefined ? '' : `<h2>${escapeHtml(title)}</h2>`}
<div class="scroll"><table><thead>${row('th', heads)}</thead>
<tbody>${rows.map((cells) => row('td', cells.map(cellText))).join('\n')}</tbody></table></div></section>`;
}
