// tier: postgres
import { describe, expect, it } from 'vitest';
import { appBody, bearer, createMember, openWithMember } from '../api/support.ts';

const base = 'https://push.example.org/base';
const apps = `${base}/api/v1/client/apps`;
const { api, member } = await openWithMember({ config: { publicBaseUrl: base } });
for (let n = 1; n <= 5; n++) {
  const payload = appBody({ name: `App ${n}` });
  await api.app.inject({
    method: 'POST',
    url: '/api/v1/client/apps',
    headers: bearer(member.token),
    payload,
  });
}

/** As a client does: the URL is taken from an answer as it is. */
async function follow(url: string) {
  expect(url.startsWith(`${base}/`)).toBe(true);
  const answer = await api.app.inject({ url: url.slice(base.length), headers: bearer(member.token) });
  return { status: answer.statusCode, page: answer.json() };
}
const list = async (query: string) => (await follow(`${apps}?${query}`)).page;
const names = (page: { data: { name: string }[] }) => page.data.map(({ name }) => name);

describe('Paginated collection envelope', () => {
  it('data | array of resource objects', async () => {
    expect(names(await list('per_page=2&page=2'))).toEqual(['App 3', 'App 4']);
    expect(Object.keys(await list('per_page=2')).sort()).toEqual(['data', 'links', 'meta']);
  });

  it('links | first, last, prev, next (URLs; prev and next are null at the ends)', async () => {
    const { links } = await list('per_page=2&page=2');
    const at = (page: number) => `${apps}?per_page=2&page=${page}`;
    expect(links).toEqual({ first: at(1), last: at(3), prev: at(1), next: at(3) });
    expect((await list('per_page=2')).links.prev).toBeNull();
    expect((await list('per_page=2&page=3')).links.next).toBeNull();
  });

  it('links | lead through every page, forwards and back, and keep the other parameters', async () => {
    const walk = async (from: string, direction: 'next' | 'prev') => {
      const seen: string[][] = [];
      for (let url: string | null = from; url !== null; ) {
        expect(url).toContain('per_page=2&');
        const { status, page } = await follow(url);
        expect(status).toBe(200);
        seen.push(names(page));
        url = page.links[direction];
      }
      return seen;
    };
    const pages = [['App 1', 'App 2'], ['App 3', 'App 4'], ['App 5']];
    const { links } = await list('per_page=2&page=1');
    expect(await walk(links.first, 'next')).toEqual(pages);
    expect(await walk(links.last, 'prev')).toEqual(pages.toReversed());
    const [{ identifier }] = (await list('per_page=1')).data;
    const readers = await follow(`${apps}/${identifier}/subscriptions?per_page=2&search=a%20b&tag[x]=y`);
    // As a URI: RFC 3986 has no brackets in a query.
    expect(readers.page.links.first).toContain('per_page=2&search=a%20b&tag%5Bx%5D=y');
    expect((await follow(readers.page.links.first)).status).toBe(200);
  });

  it('meta | current_page, from, last_page, path, per_page, to, total (integers; path is a URL)', async () => {
    const { meta } = await list('per_page=2&page=2');
    expect(meta).toEqual({
      current_page: 2,
      from: 3,
      last_page: 3,
      path: apps,
      per_page: 2,
      to: 4,
      total: 5,
    });
    expect((await list('per_page=2&page=3')).meta).toMatchObject({ from: 5, to: 5 });
  });

  it('a page past the end is empty, and leads back to the last one', async () => {
    const page = await list('per_page=2&page=9');
    expect(page).toMatchObject({
      data: [],
      meta: { current_page: 9, from: null, to: null, total: 5, last_page: 3 },
    });
    expect(names((await follow(page.links.prev)).page)).toEqual(['App 5']);
    expect(page.links.next).toBeNull();
  });

  it('an empty collection has one page', async () => {
    const stranger = await createMember(api.database);
    const answer = await api.app.inject({ url: '/api/v1/client/apps', headers: bearer(stranger.token) });
    expect(answer.json()).toMatchObject({
      data: [],
      links: { first: `${apps}?page=1`, last: `${apps}?page=1`, prev: null, next: null },
      meta: { current_page: 1, from: null, to: null, last_page: 1, total: 0 },
    });
  });
});

describe('Query parameters', () => {
  it('page | integer | default 1', async () => {
    expect((await list('per_page=5')).meta.current_page).toBe(1);
  });

  it('per_page | integer | default 25, max 100', async () => {
    expect((await list('page=1')).meta.per_page).toBe(25);
    for (const size of [1, 100]) expect((await list(`per_page=${size}`)).meta.per_page).toBe(size);
  });

  it.each([
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['per_page=-1', 'per_page'],
    ['per_page=x', 'per_page'],
    ['per_page=1&per_page=2', 'per_page'],
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['page=', 'page'],
    ['page=99999999999999999999', 'page'],
  ])('%s is refused with 422', async (query, field) => {
    const { status, page } = await follow(`${apps}?${query}`);
    expect([status, Object.keys(page.errors)]).toEqual([422, [field]]);
  });
});
