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

/** By which columns the list is sorted; the newest first where none is named. */
export const sorts = [
  'created_at',
  'total_subscribers',
  'success_count',
  'click_count',
  'click_rate',
] as const;
export type Sort = (typeof sorts)[number];

export const searchIns = ['title', 'name'] as const;

/** The list's filters, from the URL; absent ones are not sent. */
export interface DeliveriesSearch {
  readonly page?: number;
  readonly search?: string;
  /** Where it is searched; the title when left out. */
  readonly within?: 'name';
  readonly status?: Status;
  /** Only those that wait for somebody. */
  readonly approval?: 'waiting';
  /** Only tests. */
  readonly test?: true;
  /** Its name. */
  readonly category?: string;
  readonly from?: string;
  readonly to?: string;
  readonly sort?: Sort;
  readonly direction?: 'asc';
}

const MAX_TEXT = 255;

/** People edit URLs: invalid values are ignored. */
export function readSearch(given: Record<string, unknown>): DeliveriesSearch {
  const { page, within } = given;
  const status = statuses.find((each) => each === given.status);
  const search = textOf(given.search);
  const category = textOf(given.category);
  const from = dayOf(given.from);
  const to = dayOf(given.to);
  const sort = sorts.find((each) => each === given.sort && each !== 'created_at');
  return {
    ...(Number.isInteger(page) && Number(page) > 1 ? { page: Number(page) } : {}),
    ...(search === undefined ? {} : { search }),
    ...(within === 'name' ? { within } : {}),
    ...(status === undefined ? {} : { status }),
    ...(given.approval === 'waiting' ? { approval: 'waiting' } : {}),
    ...(given.test === true ? { test: true } : {}),
    ...(category === undefined ? {} : { category }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(sort === undefined ? {} : { sort }),
    ...(given.direction === 'asc' ? { direction: 'asc' } : {}),
  };
}

/** A text of digits comes as a number out of a URL. */
const textOf = (given: unknown): string | undefined =>
  (typeof given === 'string' || typeof given === 'number') && String(given) !== ''
    ? String(given).slice(0, MAX_TEXT)
    : undefined;

const dayOf = (given: unknown): string | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(String(given)) && !Number.isNaN(Date.parse(String(given)))
    ? String(given)
    : undefined;

/** How many filters are on. */
export const filtersIn = (search: DeliveriesSearch): number =>
  Object.keys(search).filter((name) => !beside.has(name)).length;

const beside = new Set(['page', 'within', 'sort', 'direction']);
