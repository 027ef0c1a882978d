import { encode } from 'uqr';
import type { Picture } from '../../engine/kit/command-line/terminal.ts';

/** Two rows of modules in one line of text: a character is about twice as high as it is wide. */
const DARK_BOTH = '█';
const DARK_ABOVE = '▀';
const DARK_BELOW = '▄';
/** Modules of light around it, by which readers find it: as many as the standard wants. */
const BORDER = 4;
const INDENT = '    ';

/** A link as a QR code, and the columns that it takes. */
export function qrCode(link: string): { readonly picture: Picture; readonly columns: number } {
  const { data, size } = encode(link, { ecc: 'L', border: BORDER });
  const isDark = (y: number, x: number): boolean => data[y]?.[x] === true;
  const rows: string[] = [];
  for (let y = 0; y < size; y += 2) {
    const row = Array.from({ length: size }, (_, x) => characterOf(isDark(y, x), isDark(y + 1, x)));
    rows.push(row.join(''));
  }
  return { picture: { indent: INDENT, rows }, columns: INDENT.length + size };
}

function characterOf(above: boolean, below: boolean): string {
  if (above && below) return DARK_BOTH;
  if (above) return DARK_ABOVE;
  return below ? DARK_BELOW : ' ';
}
