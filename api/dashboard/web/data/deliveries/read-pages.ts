/** A page of a list of the API. */
interface Page<Row> {
  readonly data: readonly Row[];
  readonly meta: { readonly last_page: number; readonly total: number };
}

/** All pages of a list from the first, one after another, up to a bound. */
export async function readPages<Row>(
  read: (page: number) => Promise<Page<Row>>,
  most: number,
): Promise<{ readonly rows: readonly Row[]; readonly total: number }> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { data, meta } = await read(page);
    rows.push(...data);
    if (page >= meta.last_page || rows.length >= most)
      return { rows: rows.slice(0, most), total: meta.total };
  }
}
