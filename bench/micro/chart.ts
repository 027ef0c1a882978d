import type { CaseRow } from './measure.ts';

const BAR_WIDTH = 420;

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);

/** A page of its own with a bar for each case, on one scale a group; needs nothing from elsewhere. */
export function chartPage(rows: readonly CaseRow[], subtitle: string): string {
  const groups = Map.groupBy(rows, ({ group }) => group);
  const sections = [...groups].map(([group, of]) => chartGroup(group, of));
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Broadside: micro</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
td{padding:.1rem .8rem .1rem 0}td.n{text-align:right;font-variant-numeric:tabular-nums}
.bar{height:1em;background:#2a6fb0;border-radius:2px}</style>
<h1>CPU of what is done for each message</h1><p>${escapeHtml(subtitle)}</p>
${sections.join('\n')}</html>
`;
}

function chartGroup(group: string, rows: readonly CaseRow[]): string {
  const most = Math.max(...rows.map(({ median }) => median));
  const lines = rows.map(({ name, unit, median }) => {
    const width = Math.max(1, Math.round((BAR_WIDTH * median) / most));
    const bar = `<div class="bar" style="width:${width}px"></div>`;
    return `<tr><td>${escapeHtml(name)}</td><td class="n">${median.toFixed(2)} µs a ${escapeHtml(unit)}</td><td>${bar}</td></tr>`;
  });
  return `<h2>${escapeHtml(group)}</h2><table>${lines.join('')}</table>`;
}
