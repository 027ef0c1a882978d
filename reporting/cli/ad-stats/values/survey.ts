import { type AdField, adCountFields } from '../../../../engine/contract/ad-stats.ts';
import { CliError } from '../../../../engine/kit/command-line/endings.ts';
import type { FileTexts } from '../fields.ts';
import { type DateOrder, dateOrders, STORED_DATE, writtenDate } from './date.ts';
import { currenciesOf, type DecimalMark, digitsOf, writtenNumber } from './number.ts';

/** How a file writes its values. */
export interface Style {
  readonly mark: DecimalMark;
  /** Null: each of its dates can be read in one way alone. */
  readonly order: DateOrder | null;
}

/** A value that may mean several things until all values of its file are known. */
export class NeedsSurvey extends Error {}

export interface SurveyRules {
  /** As the operator or the source says; null: found out. */
  readonly mark: DecimalMark | null;
  readonly order: DateOrder | null;
  /** Whether a point before three digits is one of decimals unless the file shows otherwise: in our own form it is. */
  readonly pointIsDecimal: boolean;
}

interface Example {
  readonly text: string;
  readonly line: number;
}

/** Times more of one kind than of another: the others are slips then, and set aside as bad rows. */
const CLEAR = 100;

/** Collects what all values of a file show, before any of them is read. */
export function createSurvey(rules: SurveyRules) {
  const numbers = new Map<DecimalMark, { count: number; first: Example }>();
  const unsure = new Map<DecimalMark, Example>();
  const dates = new Map<string, { count: number; first: Example; orders: readonly DateOrder[] }>();
  let sign: Example | null = null;

  function addNumber(field: AdField, example: Example): void {
    const { text } = example;
    const written = writtenNumber(text);
    if (written === null || written.isPercent) return;
    const isCount = field !== 'earnings';
    const [dot, comma] = [digitsOf(written.body, '.', isCount), digitsOf(written.body, ',', isCount)];
    if (dot === comma) return;
    if (dot !== null && comma !== null) {
      const mark = written.body.includes('.') ? '.' : ',';
      if (!unsure.has(mark)) unsure.set(mark, example);
      return;
    }
    const mark = dot === null ? ',' : '.';
    const found = numbers.get(mark);
    if (found === undefined) numbers.set(mark, { count: 1, first: example });
    else found.count++;
  }

  function addDate(example: Example): void {
    const days = writtenDate(example.text)?.days;
    if (days === undefined || days.certain !== undefined) return;
    const orders = dateOrders.filter((order) => days[order] !== undefined);
    // Where all of them are the same day, the date says nothing of the order.
    if (orders.length > 1 && new Set(Object.values(days)).size === 1) return;
    const key = orders.join(' ');
    const found = dates.get(key);
    if (found === undefined) dates.set(key, { count: 1, first: example, orders });
    else found.count++;
  }

  function mark(): DecimalMark {
    if (rules.mark !== null) return rules.mark;
    const [dot, comma] = [numbers.get('.'), numbers.get(',')];
    if (dot !== undefined && comma !== undefined) {
      const [more, fewer] = dot.count >= comma.count ? [dot, comma] : [comma, dot];
      if (more.count < fewer.count * CLEAR) throw new CliError(mixedNumbers(dot.first, comma.first));
      return more === dot ? '.' : ',';
    }
    if (dot !== undefined || comma !== undefined) return dot === undefined ? ',' : '.';
    const [example] = rules.pointIsDecimal ? [unsure.get(',')] : [unsure.get('.') ?? unsure.get(',')];
    if (example !== undefined) throw new CliError(unsureNumber(example));
    return '.';
  }

  function order(): DateOrder | null {
    if (rules.order !== null) return rules.order;
    const all = [...dates.values()];
    if (all.length === 0) return null;
    const fitting = (one: DateOrder): number =>
      all.reduce((sum, { orders, count }) => sum + (orders.includes(one) ? count : 0), 0);
    const total = all.reduce((sum, { count }) => sum + count, 0);
    const open = dateOrders.filter((one) => fitting(one) === total);
    if (open.length === 1) return open[0] ?? null;
    const [sample] = all.toSorted((one, other) => other.orders.length - one.orders.length);
    if (open.length > 1 && sample !== undefined) throw new CliError(unsureDate(sample.first, open));
    const [best, second] = dateOrders.toSorted((one, other) => fitting(other) - fitting(one));
    if (best !== undefined && second !== undefined) {
      const [ofBest, ofOthers] = [fitting(best), total - fitting(best)];
      if (ofBest >= ofOthers * CLEAR && fitting(second) * CLEAR <= ofBest) return best;
    }
    throw new CliError(mixedDates(all.map(({ first }) => first)));
  }

  return {
    /** @param currency of rows that name none; null: nobody says. */
    addRow: (texts: FileTexts, line: number, currency: string | null): void => {
      for (const field of figures) {
        const text = texts[field]?.trim() ?? '';
        if (text !== '' && !/^\d+$/.test(text)) addNumber(field, { text, line });
      }
      const at = texts.at ?? texts.hour ?? '';
      if (!STORED_DATE.test(at)) addDate({ text: at, line });
      const named = currency ?? texts.currency ?? '';
      if (named === '' && sign === null) sign = sharedSign({ text: texts.earnings ?? '', line });
    },
    /** @throws CliError where values can be read in several ways. */
    style: (): Style => {
      if (sign !== null) throw new CliError(unsureMoney(sign));
      return { mark: mark(), order: order() };
    },
  };
}

const figures: readonly AdField[] = [...adCountFields, 'earnings'];

/** An amount whose sign is that of several currencies. */
function sharedSign(example: Example): Example | null {
  const money = writtenNumber(example.text)?.money ?? null;
  return money !== null && currenciesOf(money).length > 1 ? example : null;
}

const unsureMoney = (example: Example): string => {
  const meant = currenciesOf(writtenNumber(example.text)?.money ?? '');
  return `${shown(example)} may be of ${meant.slice(0, 4).join(', ')}: add --currency ${meant[0]}, or another one`;
};
const shown = ({ text, line }: Example): string => `"${text.slice(0, 40)}" (line ${line})`;

const dayNames: Readonly<Record<DateOrder, string>> = {
  dmy: 'the day first',
  mdy: 'the month first',
  ymd: 'the year first',
};

const longDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  });

function unsureDate(example: Example, open: readonly DateOrder[]): string {
  const days = writtenDate(example.text)?.days ?? {};
  const readings = open.map((order) => `${longDay(days[order] ?? '')} with ${dayNames[order]}`);
  return (
    `${shown(example)} may be ${readings.join(', or ')}, and no date of the file tells which: ` +
    `add --dates ${open.join(' or --dates ')}`
  );
}

const mixedDates = (examples: readonly Example[]): string =>
  `the dates ${examples.slice(0, 3).map(shown).join(' and ')} are written in different orders: ` +
  'add --dates dmy or --dates mdy, and the others are set aside';

function unsureNumber(example: Example): string {
  const body = writtenNumber(example.text)?.body ?? '';
  return (
    `${shown(example)} may be ${digitsOf(body, '.', false)} or ${digitsOf(body, ',', false)}, and no number of the file ` +
    'tells which: add --decimal point or --decimal comma'
  );
}

const mixedNumbers = (dot: Example, comma: Example): string =>
  `${shown(dot)} has a decimal point and ${shown(comma)} a decimal comma: add --decimal point or --decimal comma, and ` +
  'the others are set aside';
