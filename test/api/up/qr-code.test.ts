// tier: unit
import jsQr from 'jsqr';
import { describe, expect, it } from 'vitest';
import { phoneLines } from '../../../api/up/phones.ts';
import { qrCode } from '../../../api/up/qr-code.ts';
import { type Picture, pageText } from '../../../engine/kit/command-line/terminal.ts';

const link = 'http://192.168.1.20:8080/dashboard/invitations#12.2kJpQhXw7mVtY4sN8cRbE1zLgU6dAfTo2kJpQhXw7mV';
const SCALE = 4;
const MARGIN = 3;

const ESCAPE = '\u001b';

/** Foreground and background, as each code has them: a part of the light. */
const colours: Readonly<Record<string, readonly [number, number] | null>> = {
  '[38;5;16;48;5;231m': [0, 255],
  '[38;5;231;48;5;16m': [255, 0],
  '[30;107m': [10, 250],
  '[97;40m': [250, 10],
  '[0m': null,
};

/**
 * What a camera sees of a terminal, as an independent reader reads it; one that does not try the inverse, as many do not.
 * @param theme foreground and background.
 */
function readFromScreen(text: string, theme: readonly [number, number]): string | undefined {
  const cells: (readonly [above: number, below: number])[][] = [];
  for (const line of text.trimEnd().split('\n')) {
    let colour = theme;
    const row: (readonly [number, number])[] = [];
    for (const [at, part] of line.split(ESCAPE).entries()) {
      const [code = ''] = at === 0 ? [] : (/^\[[\d;]*m/.exec(part) ?? []);
      if (code !== '') colour = colours[code] ?? theme;
      for (const character of part.slice(code.length))
        row.push([
          '█▀'.includes(character) ? colour[0] : colour[1],
          '█▄'.includes(character) ? colour[0] : colour[1],
        ]);
    }
    cells.push(row);
  }
  const width = (Math.max(...cells.map((row) => row.length)) + MARGIN) * SCALE;
  const height = (cells.length + MARGIN) * 2 * SCALE;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const half = Math.floor(y / SCALE);
      const light = cells[half >> 1]?.[Math.floor(x / SCALE)]?.[half % 2] ?? theme[1];
      pixels.fill(light, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  return jsQr.default(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data;
}

const themes = {
  'a dark terminal': [229, 30],
  'a light terminal': [40, 255],
  'one of little contrast': [130, 200],
} as const;

describe('the QR code of the first link', () => {
  const { picture, columns } = qrCode(link);

  it.each(Object.entries(themes))('is read from %s that has colours', (_name, theme) => {
    for (const bits of [4, 8, 24]) expect(readFromScreen(pageText([picture], bits), theme)).toBe(link);
  });

  it('is read without colours where the background is dark, and then has no codes', () => {
    const text = pageText([picture], 1);
    expect(readFromScreen(text, themes['a dark terminal'])).toBe(link);
    expect(text).toMatch(/^[ █▀▄\n]+$/);
  });

  it('takes as many columns as it says, and half of 90', () => {
    const widest = Math.max(
      ...pageText([picture], 1)
        .split('\n')
        .map((line) => line.length),
    );
    expect(widest).toBe(columns);
    expect(columns).toBeLessThanOrEqual(50);
  });
});

describe('a page for a terminal', () => {
  it('shows nothing that a terminal would obey but the colours of pictures', () => {
    const page = pageText(['a \u001b[31mname', { indent: ' ', rows: ['█ '] }], 8);
    const [black, white] = ['\u001b[38;5;231;48;5;16m', '\u001b[38;5;16;48;5;231m'];
    expect(page).toBe(`a \\u001b[31mname\n ${black} ${white} \u001b[0m\n`);
  });
});

describe('how a phone reaches a link', () => {
  const reach = { publicBaseUrl: null, api: 'http://127.0.0.1:8080', columns: 80, address: '192.168.1.20' };
  const codeOf = (lines: readonly (string | Picture)[]): readonly Picture[] =>
    lines.filter((line) => typeof line !== 'string');
  const read = (lines: readonly (string | Picture)[]) =>
    readFromScreen(pageText(codeOf(lines), 8), themes['a light terminal']);

  it('is by the address in the network, and says what plain http cannot', () => {
    const lines = phoneLines(link, { ...reach, publicBaseUrl: 'http://192.168.1.20:8080' });
    expect(read(lines)).toBe(link);
    expect(pageText(lines, 1)).toContain('Over plain http');
  });

  it('has no warning over https', () => {
    const own = 'https://push.example.com/dashboard/invitations#1.abc';
    const lines = phoneLines(own, { ...reach, publicBaseUrl: 'https://push.example.com' });
    expect(read(lines)).toBe(own);
    expect(pageText(lines, 1)).not.toContain('plain http');
  });

  it('has no code where there is no terminal, and says how wide one has to be', () => {
    const own = { ...reach, publicBaseUrl: 'https://push.example.com' };
    expect(phoneLines(link, { ...own, columns: undefined })).toEqual([]);
    const { columns } = qrCode(link);
    expect(codeOf(phoneLines(link, { ...own, columns }))).toHaveLength(1);
    const narrow = phoneLines(link, { ...own, columns: 40 });
    expect(codeOf(narrow)).toEqual([]);
    expect(narrow[0]).toBe(`  In ${columns} columns, a terminal shows it as a QR code, too.`);
  });

  it('is not there on loopback, and says how to open it', () => {
    const lines = phoneLines(link, reach);
    expect(pageText(lines, 1)).toContain('API_HOST=0.0.0.0 PUBLIC_BASE_URL=http://192.168.1.20:8080');
    expect(codeOf(lines)).toEqual([]);
    expect(phoneLines(link, { ...reach, address: null })).toEqual([]);
  });

  it('names the command that started it', () => {
    const commandOf = (script?: string): string | undefined =>
      pageText(phoneLines(link, { ...reach, script }), 1).match(/:8080 (.+)/)?.[1];
    expect([commandOf('start'), commandOf('npx'), commandOf()]).toEqual([
      ...['npm start', 'npx broadside up', 'broadside up'],
    ]);
  });
});
