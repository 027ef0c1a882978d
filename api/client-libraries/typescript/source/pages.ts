/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: {
    readonly current_page: number;
    readonly last_page: number;
    readonly per_page: number;
    /** Items on all pages. */
    readonly total: number;
  };
}

export interface PageQuery {
  readonly page?: number;
  readonly per_page?: number;
}

/** The most that the API returns at once. */
const MOST_PER_PAGE = 100;

/**
 * A list of the API. Nothing is requested until it is read:
 *
 *     for await (const delivery of broadside.listDeliveries(app)) …
 *     const { data, meta } = await broadside.listDeliveries(app, { page: 2 }).page();
 */
export class List<Item> implements AsyncIterable<Item> {
  readonly #query: PageQuery;
  readonly #read: (query: PageQuery) => Promise<Page<Item>>;

  constructor(query: PageQuery, read: (query: PageQuery) => Promise<Page<Item>>) {
    this.#query = query;
    this.#read = read;
  }

  /** The page that the query asks for, otherwise the first. */
  page(): Promise<Page<Item>> {
    return this.#read(this.#query);
  }

  /** Pages, one request each, until the last one: of 100 items where the query gives no size. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const query = { per_page: MOST_PER_PAGE, ...this.#query };
    for (let page = query.page ?? 1; ; page++) {
      // By number: an address that an answer names is not followed with the token.
      const found = await this.#read({ ...query, page });
      yield found;
      if (found.data.length === 0 || found.meta.current_page >= found.meta.last_page) return;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }
}
