import { encode } from 'uqr';

/** Two rows of modules in one line of text: a character is about twice as high as it is wide. */
const LIGHT_BOTH = '█';
const LIGHT_ABOVE = '▀';
const LIGHT_BELOW = '▄';
/** Modules of light around it, by which readers find it. */
const BORDER = 2;
const INDENT = '    ';

/**
 * A link as a QR code, in lines of text without colours: light modules are drawn, as on a dark terminal. On a light one it
 * is inverted, which cameras of phones read as well.
 * @param columns of the terminal; undefined: the output is none.
 * @returns no line where there is no terminal, or it is too narrow.
 */
export function qrCode(link: string, columns: number | undefined): string[] {
  if (columns === undefined) return [];
  const { data, size } = encode(link, { ecc: 'L', border: BORDER });
  if (INDENT.length + size > columns) return [];
  const isLight = (y: number, x: number): boolean => data[y]?.[x] === false;
  const lines: string[] = [];
  for (let y = 0; y < size; y += 2) {
    const row = Array.from({ length: size }, (_, x) => characterOf(isLight(y, x), isLight(y + 1, x)));
    lines.push(INDENT + row.join(''));
  }
  return [...lines, ''];
}

function characterOf(above: boolean, below: boolean): string {
  if (above && below) return LIGHT_BOTH;
  if (above) return LIGHT_ABOVE;
  return below ? LIGHT_BELOW : ' ';
}
