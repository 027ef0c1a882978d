import { escapeHtml } from './escape-html.ts';
import type { FlameChart, Frame } from './report.ts';

const WIDTH = 960;
const ROW = 16;
/** Narrower frames could not be seen, and there are thousands of them. */
const MIN_WIDTH = 1.5;
const MAX_DEPTH = 60;
const LETTER = 6.2;
const colours = ['#ffd8a8', '#ffc078', '#ffec99', '#ffa8a8', '#fcc2d7', '#d8f5a2'];

/** Callers above, callees below, each as wide as its time; a frame shows its name and share on hover. */
export function flameChart({ title, root }: FlameChart): string {
  const drawn: string[] = [];
  const scale = WIDTH / Math.max(root.total, 1);
  let depth = 0;

  function draw(frame: Frame, left: number, row: number): void {
    const width = frame.total * scale;
    if (width < MIN_WIDTH || row > MAX_DEPTH) return;
    depth = Math.max(depth, row);
    drawn.push(frameSvg(frame, root.total, { left, width, top: row * ROW }));
    let next = left;
    for (const child of frame.children.toSorted((a, b) => b.total - a.total)) {
      draw(child, next, row + 1);
      next += child.total * scale;
    }
  }

  draw(root, 0, 0);
  const height = (depth + 1) * ROW;
  return `<section><h2>${escapeHtml(title)}</h2><div class="scroll">
<svg class="flame" viewBox="0 0 ${WIDTH} ${height}" style="min-width:40rem" role="img" aria-label="${escapeHtml(title)}">${drawn.join('\n')}</svg></div></section>`;
}

interface Place {
  readonly left: number;
  readonly width: number;
  readonly top: number;
}

function frameSvg({ name, total }: Frame, all: number, { left, width, top }: Place): string {
  const letters = Math.floor((width - 4) / LETTER);
  const text =
    letters < 3
      ? ''
      : `<text x="${(left + 2).toFixed(1)}" y="${top + 12}">${escapeHtml(name.slice(0, letters))}</text>`;
  const told = escapeHtml(`${name}: ${((100 * total) / all).toFixed(1)} %`);
  return `<g><title>${told}</title><rect x="${left.toFixed(1)}" y="${top}" width="${width.toFixed(1)}" height="${ROW}" fill="${colours[hashOf(name) % colours.length]}"/>${text}</g>`;
}

const hashOf = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
