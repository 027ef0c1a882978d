import type { FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { nullable } from './fields.ts';

const DEFAULT_PER_PAGE = 25;
const MAX_PER_PAGE = 100;
const MAX_PAGE = 10_000_000;

/** Query parameters of every list. */
export const pageFields = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1, description: 'Number of the page, from 1.' }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PER_PAGE,
      default: DEFAULT_PER_PAGE,
      description: 'Most items on a page.',
    }),
  ),
};
const pageQuery = Type.Object(pageFields);

const LIST = 'https://push.example.com/api/v1/client/apps';

const address = Type.String({ format: 'uri' });
const pageLinks = Type.Object(
  {
    first: address,
    last: address,
    prev: nullable<string>({ type: 'string', format: 'uri', description: 'Null on the first page.' }),
    next: nullable<string>({ type: 'string', format: 'uri', description: 'Null on the last page.' }),
  },
  {
    title: 'PageLinks',
    description: 'Addresses of other pages, with every other query parameter kept.',
    examples: [{ first: `${LIST}?page=1`, last: `${LIST}?page=1`, prev: null, next: null }],
  },
);

const pageMeta = Type.Object(
  {
    current_page: Type.Integer(),
    from: nullable<number>({
      type: 'integer',
      description: 'Number of the first item; null on an empty page.',
    }),
    last_page: Type.Integer(),
    path: Type.String({ format: 'uri', description: 'The address without its query.' }),
    per_page: Type.Integer(),
    to: nullable<number>({ type: 'integer', description: 'Number of the last item; null on an empty page.' }),
    total: Type.Integer({ description: 'Items on all pages.' }),
  },
  {
    title: 'PageMeta',
    examples: [{ current_page: 1, from: 1, last_page: 1, path: LIST, per_page: 25, to: 1, total: 1 }],
  },
);

export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ data: Type.Array(item), links: pageLinks, meta: pageMeta });

export interface Page {
  readonly number: number;
  readonly size: number;
  readonly offset: number;
}

export function pageOfQuery(query: Static<typeof pageQuery>): Page {
  const number = query.page ?? 1;
  const size = query.per_page ?? DEFAULT_PER_PAGE;
  return { number, size, offset: (number - 1) * size };
}

/** The result of a list's statement: the page's rows, and the total. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** The specification's envelope. Links keep every other query parameter. */
export function paginate<Item>(data: readonly Item[], total: number, page: Page, address: URL) {
  const lastPage = Math.max(1, Math.ceil(total / page.size));
  const link = (number: number): string => withPage(address, number);
  return {
    data: [...data],
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page.number > 1 ? link(Math.min(page.number - 1, lastPage)) : null,
      next: page.number < lastPage ? link(page.number + 1) : null,
    },
    meta: {
      current_page: page.number,
      from: data.length === 0 ? null : page.offset + 1,
      last_page: lastPage,
      path: `${address.origin}${address.pathname}`,
      per_page: page.size,
      to: data.length === 0 ? null : page.offset + data.length,
      total,
    },
  };
}

/** By hand: `URLSearchParams` would write the other parameters again. */
function withPage(address: URL, number: number): string {
  const others = asUri(address.search.slice(1))
    .split('&')
    .filter((part) => part !== '' && !/^page(=|$)/.test(part));
  return `${address.origin}${address.pathname}?${[...others, `page=${number}`].join('&')}`;
}

/** RFC 3986 knows no brackets in a query, nor a lone `%`; clients write both, as in `tag[plan]=premium`. */
const asUri = (query: string): string =>
  query.replaceAll(/[[\]{}|\\^`]|%(?![0-9A-Fa-f]{2})/g, (each) => encodeURIComponent(each));

/** Our own address, as the client knows it: images are served there. */
export const baseOf = (
  request: FastifyRequest,
  { publicBaseUrl }: { readonly publicBaseUrl: string | null },
): string => publicBaseUrl ?? addressOf(request, null).origin;

/** The address that the request was sent to, as the outside knows it. */
export function addressOf(request: FastifyRequest, publicBaseUrl: string | null): URL {
  const base = publicBaseUrl ?? `${request.protocol}://${request.host}`;
  return URL.parse(base + request.url) ?? new URL(request.url, 'http://localhost');
}
