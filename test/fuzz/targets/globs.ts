import fc from 'fast-check';
import { matches } from '../../../api/sdk/browser/app-prompts/globs.ts';
import { type FuzzTarget, MOST_MS, within } from '../target.ts';

const MOST_PATTERN = 255;
const MOST_PATH = 8_192;

const sign = fc.constantFrom('*', '/', 'a', 'b', '.', '(', '[', '\\', '$', '+', 'ß', '😀');
const few = (maxLength: number) => fc.array(sign, { maxLength }).map((signs) => signs.join(''));
const worst = (pieces: readonly string[], length: number) =>
  fc.constantFrom(...pieces).map((piece) => piece.repeat(length).slice(0, length));

/** What a pattern means, slowly: `*` is any characters, everything else is itself. */
function means(pattern: string, path: string): boolean {
  if (pattern === '') return path === '';
  if (pattern.startsWith('*'))
    return Array.from({ length: path.length + 1 }, (_, at) => path.slice(at)).some((rest) =>
      means(pattern.slice(1), rest),
    );
  return pattern[0] === path[0] && means(pattern.slice(1), path.slice(1));
}

export const globsTarget: FuzzTarget = {
  name: 'globs',
  holds: 'a pattern of pages means what it says, and takes no longer for the worst path',
  property: fc.property(
    few(7),
    few(9),
    worst(['*a', '*', 'a*b*', '/*/'], MOST_PATTERN),
    worst(['a', '/', 'ab', 'aaaaab'], MOST_PATH),
    (pattern, path, longPattern, longPath) => {
      if (matches(pattern, path) !== means(pattern, path))
        throw new Error(`${pattern} is wrong about ${path}`);
      within(MOST_MS, () => matches(longPattern, longPath));
    },
  ),
};
