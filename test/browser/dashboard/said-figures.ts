import { en } from '../../../api/dashboard/web/texts/en.ts';
import { number, shareText } from '../../../engine/kit/command-line/numbers.ts';
import type { Tab } from './stand.ts';

/** Which place says which figure, as it is shown there. */
export interface SaidFigures {
  readonly say: (figure: string, place: string, value: number | string | undefined) => void;
  /** A line for each figure that two places say differently, or that only one says. */
  readonly disagreements: () => string[];
  readonly count: () => { readonly figures: number; readonly sayings: number };
  /** The same with another value at one place. */
  readonly changed: (at: number) => SaidFigures;
}

type Saying = readonly [figure: string, place: string, text: string];

export function createSaidFigures(sayings: Saying[] = []): SaidFigures {
  const byFigure = (): ReadonlyMap<string, readonly Saying[]> => Map.groupBy(sayings, ([figure]) => figure);
  return {
    say: (figure, place, value) =>
      void sayings.push([figure, place, typeof value === 'number' ? number(value) : shownText(value)]),
    disagreements: () =>
      [...byFigure()].flatMap(([figure, all]) => {
        const isOne = new Set(all.map(([, , text]) => text)).size === 1;
        if (isOne && all.length > 1) return [];
        return [`${figure}: ${all.map(([, place, text]) => `${text} (${place})`).join(', ')}`];
      }),
    count: () => ({ figures: byFigure().size, sayings: sayings.length }),
    changed: (at) =>
      createSaidFigures(
        sayings.map(([figure, place, text], index) => [figure, place, index === at ? `${text}1` : text]),
      ),
  };
}

/** Whatever spaces a browser writes; a figure that is not there is one that nobody else says. */
const shownText = (text: string | undefined): string =>
  (text ?? 'nothing').replaceAll(/[\u00a0\u202f\s]+/g, ' ').trim();

export const rateOf = (clicks: number, accepted: number): string => shareText(clicks, accepted);

export interface ShownRow {
  /** The first line of each cell, by its header. */
  readonly cells: Readonly<Record<string, string>>;
  /** Where its first link leads. */
  readonly link: string;
}

/** The rows of a table of the page, also of one that is only read out. @param label of its section. */
export const rowsOf = ({ page }: Tab, label: string): Promise<readonly ShownRow[]> =>
  page.evaluate(`(() => {
    const table = document.querySelector('section[aria-label=${JSON.stringify(label)}] table');
    const heads = [...(table?.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.innerText.trim());
    const bodies = [...(table?.tBodies ?? [])].flatMap((body) => [...body.rows]);
    return bodies.map((row) => ({
      cells: Object.fromEntries([...row.cells].map((cell, at) => [heads[at] ?? '', cell.innerText.trim().split('\\n')[0]])),
      link: row.querySelector('a')?.getAttribute('href') ?? '',
    }));
  })()`) as Promise<readonly ShownRow[]>;

/** What stands in large letters, by its label. */
export const largeFigures = ({ page }: Tab): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(`Object.fromEntries([...document.querySelectorAll('dl > *')]
    .map((each) => [each.querySelector('dt')?.textContent, each.querySelector('dd')?.textContent]))`) as Promise<
    Readonly<Record<string, string>>
  >;

/** The bars of the funnel, by their names. */
export const funnelOf = ({ page }: Tab): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(`Object.fromEntries([...document.querySelectorAll('ol[aria-label=${JSON.stringify(
    en.funnel.label,
  )}] > li')]
    .map((each) => [each.firstElementChild.textContent, each.querySelector('b').textContent]))`) as Promise<
    Readonly<Record<string, string>>
  >;

export const sumOf = (texts: readonly (string | undefined)[]): number =>
  texts.reduce((sum, text) => sum + Number((text ?? 'none').replaceAll(',', '')), 0);
