// tier: unit
import { expect, it } from 'vitest';
import { readPages } from '../../../api/dashboard/web/data/deliveries/read-pages.ts';

const A_PAGE = 100;

/** A list of that many, as the API gives it. */
function listOf(total: number) {
  const asked: number[] = [];
  const read = async (page: number) => {
    asked.push(page);
    const first = (page - 1) * A_PAGE;
    const data = Array.from({ length: Math.min(A_PAGE, total - first) }, (_, at) => first + at);
    return { data, meta: { total, last_page: Math.max(1, Math.ceil(total / A_PAGE)) } };
  };
  return { asked, read };
}

it('reads all pages of a list, from the first', async () => {
  const { asked, read } = listOf(230);
  const { rows, total } = await readPages(read, 2_000);
  expect([rows, total]).toEqual([Array.from({ length: 230 }, (_, at) => at), 230]);
  expect(asked).toEqual([1, 2, 3]);
  expect(await readPages(listOf(0).read, 2_000)).toEqual({ rows: [], total: 0 });
});

it('ends at its bound, and says how many there are', async () => {
  const { asked, read } = listOf(2_500);
  const { rows, total } = await readPages(read, 2_000);
  expect([rows.length, total, asked.length]).toEqual([2_000, 2_500, 20]);
});
