// tier: unit
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const web = fileURLToPath(new URL('../../api/dashboard/web/', import.meta.url));

/** Pictures of what other systems draw, and of a reader's prompt, have the blues of those. */
const OTHERS = /^(notification\/preview\/|prompts\/|texts\/)/;
/** The accent, and the same for a dark ground. */
const accents = ['#3b5bdb', '#748ffc'];

/** Degrees on the wheel and how far from grey, of `#rgb` or `#rrggbb`. */
function hueOf(literal: string): { readonly hue: number; readonly chroma: number } {
  const long = literal.length === 4 ? literal.replace(/[0-9a-f]/gi, '$&$&') : literal;
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255);
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const chroma = most - least;
  if (chroma === 0) return { hue: 0, chroma };
  const turned = most === r ? (g - b) / chroma : most === g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma;
  return { hue: (turned * 60 + 360) % 360, chroma };
}

const isBlue = (literal: string): boolean => {
  const { hue, chroma } = hueOf(literal);
  return chroma > 0.2 && hue > 195 && hue < 265;
};

/** Blues of a file that are not the accent: as figures, and as names of the component library. */
const foreignBlues = (text: string): string[] => [
  ...[...text.matchAll(/#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/gi)]
    .map(([literal]) => literal.toLowerCase())
    .filter((literal) => isBlue(literal) && !accents.includes(literal)),
  ...[...text.matchAll(/(?<=['"]|color-)(blue|cyan|violet)(?=['"]|-\d)/g)].map(([name]) => name),
];

describe('the dashboard', () => {
  it('has one blue', () => {
    const files = globSync('**/*.{css,ts,tsx,svg,html}', { cwd: web }).filter((file) => !OTHERS.test(file));
    const texts = files.map((file) => ({ file, text: readFileSync(`${web}${file}`, 'utf8') }));
    expect(texts.flatMap(({ file, text }) => foreignBlues(text).map((blue) => `${file}: ${blue}`))).toEqual(
      [],
    );
    const found = texts.flatMap(({ text }) => accents.filter((accent) => text.includes(accent)));
    expect([...new Set(found)].toSorted()).toEqual(accents.toSorted());
  });

  it('would be found with a second one', () => {
    expect(foreignBlues('color: #1a73e8; fill: #4263eb')).toEqual(['#1a73e8', '#4263eb']);
    expect(foreignBlues(`<Badge color="blue" /> var(--mantine-color-cyan-6)`)).toEqual(['blue', 'cyan']);
    expect(foreignBlues('#3b5bdb #087f5b #fff #5b636d')).toEqual([]);
  });
});
