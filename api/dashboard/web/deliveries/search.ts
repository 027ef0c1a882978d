import type { Status } from './status.ts';

export const statuses = [
  'processing',
  'scheduled',
  'success',
  'partial',
  'failed',
  'cancelled',
  'pending',
  'queued',
] as const satisfies readonly Status[];

export const searchIns = ['title', 'name'] as const;

/** What the list shows, as its address says it; what is left out is not asked for. */
export interface DeliveriesSearch {
  readonly page?: number;
  readonly search?: string;
  /** Where it is searched; the title when left out. */
  readonly within?: 'name';
  readonly status?: Status;
  /** Its name. */
  readonly category?: string;
  readonly from?: string;
  readonly to?: string;
}

const MAX_TEXT = 255;

/** Numbers of things, as an address has them. */
export const isId = (given: unknown): given is number => Number.isSafeInteger(given) && Number(given) > 0;

/** An address is typed by people: what makes no sense in it is left out. */
export function readSearch(given: Record<string, unknown>): DeliveriesSearch {
  const { page, within } = given;
  const status = statuses.find((each) => each === given.status);
  const search = textOf(given.search);
  const category = textOf(given.category);
  const from = dayOf(given.from);
  const to = dayOf(given.to);
  return {
    ...(Number.isInteger(page) && Number(page) > 1 ? { page: Number(page) } : {}),
    ...(search === undefined ? {} : { search }),
    ...(within === 'name' ? { within } : {}),
    ...(status === undefined ? {} : { status }),
    ...(category === undefined ? {} : { category }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

/** A text of digits comes as a number out of an address. */
const textOf = (given: unknown): string | undefined =>
  (typeof given === 'string' || typeof given === 'number') && String(given) !== ''
    ? String(given).slice(0, MAX_TEXT)
    : undefined;

const dayOf = (given: unknown): string | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(String(given)) && !Number.isNaN(Date.parse(String(given)))
    ? String(given)
    : undefined;

/** How many filters are on. */
export const filtersIn = ({ page: _page, within: _within, ...filters }: DeliveriesSearch): number =>
  Object.keys(filters).length;
