// tier: postgres
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { storeImage } from '../../../engine/adapters/postgres/deliveries/store-image.ts';
import { removeUnusedImages } from '../../../engine/adapters/postgres/removal/sweeps.ts';
import { loopbackAllowed, makeJpeg, makePng, startImageServer } from '../../support/images.ts';
import {
  appBody,
  callAs,
  createMember,
  createTestApi,
  deliveryBody,
  openWithMember,
  type TestApi,
} from '../support.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('the image of a delivery', async () => {
  const png = makePng();
  const jpeg = makeJpeg();
  const server = await startImageServer((request, response) => {
    // The header lies: only the bytes count.
    response.setHeader('content-type', 'text/html');
    response.end(request.url === '/b.jpg' ? jpeg : png);
  });
  const { api, call } = await openWithMember({
    publicAddresses: loopbackAllowed,
    config: { publicBaseUrl: 'https://push.example.com/base' },
  });
  const path = `/apps/${(await call('POST', '/apps', appBody())).json().data.identifier}/deliveries`;
  afterAll(() => server.close());

  const create = async (image_url: string, on = api) => {
    const answer = await callAs(on.app, await memberOf(on))('POST', path, deliveryBody({ image_url }));
    expect([answer.statusCode, answer.json().errors]).toEqual([201, undefined]);
    return answer.json().data;
  };
  const memberOf = async (on: TestApi) => {
    const [app] = await on.database.query<{ organization_id: number }>(`SELECT organization_id FROM apps`);
    return createMember(on.database, { organizationId: app?.organization_id ?? 0 });
  };
  const get = (name: string, headers: object = {}, method: 'GET' | 'HEAD' = 'GET') =>
    api.app.inject({ method, url: `/images/${name}`, headers: { ...headers } });

  it('is kept by us: the resource and the notification name our copy', async () => {
    const { id, image_url } = await create(`${server.url}/a.png`);
    expect(image_url).toBe(`https://push.example.com/base/images/${sha256(png)}.png`);
    const [row] = await api.database.query<{ plaintext: Buffer; image_hash: Buffer }>(
      `SELECT plaintext, image_hash FROM deliveries WHERE id = $1`,
      [id],
    );
    expect(JSON.parse(row?.plaintext.toString() ?? '').notification.image).toBe(image_url);
    expect(row?.image_hash.toString('hex')).toBe(sha256(png));
    expect((await create(`${server.url}/b.jpg`)).image_url).toContain(`${sha256(jpeg)}.jpg`);
  });

  it('is served publicly, under its type, and cached forever', async () => {
    const answer = await get(`${sha256(jpeg)}.jpg`);
    expect([answer.statusCode, answer.rawPayload.equals(jpeg)]).toEqual([200, true]);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(jpeg.length),
      'cache-control': 'public, max-age=86400, immutable',
      'x-content-type-options': 'nosniff',
      etag: `"${sha256(jpeg)}"`,
    });
  });

  it('is answered without its bytes to HEAD, and to a client that has it', async () => {
    const name = `${sha256(png)}.png`;
    const head = await get(name, {}, 'HEAD');
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, `${png.length}`, '']);
    const etag = `"${sha256(png)}"`;
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await get(name, { 'if-none-match': known });
      expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await get(name, { 'if-none-match': '"x"' })).statusCode).toBe(200);
  });

  it.each([
    `${'0'.repeat(64)}.png`,
    `${sha256(png)}.jpg`,
    `${sha256(png)}.gif`,
    `${sha256(png)}`,
    `${sha256(png).toUpperCase()}.png`,
    '..%2f..%2fetc%2fpasswd',
  ])('is not there as %s', async (name) => {
    const answer = await get(name);
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'Not found.' }]);
  });

  it('is read from the database once, however many requests come at once', async () => {
    let reads = 0;
    const database = {
      ...api.database,
      query: <Row extends object>(text: string, values?: readonly unknown[]) => {
        if (text.includes('FROM images')) reads++;
        return api.database.query<Row>(text, values);
      },
    };
    const other = await createTestApi({ database });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => other.app.inject(`/images/${sha256(png)}.png`)),
    );
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    await other.app.inject(`/images/${sha256(png)}.png`);
    expect(reads).toBe(1);
    await other.close();
  });

  it('is not fetched again where the address that we gave is given back', async () => {
    const before = server.asked.length;
    const again = await create(`https://push.example.com/base/images/${sha256(png)}.png`);
    expect(again.image_url).toBe(`https://push.example.com/base/images/${sha256(png)}.png`);
    expect(server.asked).toHaveLength(before);
  });

  it('is named as the request named us where no base address is set', async () => {
    const plain = await createTestApi({ publicAddresses: loopbackAllowed, database: api.database });
    const { image_url } = await create(`${server.url}/a.png`, { ...plain, database: api.database });
    expect(image_url).toBe(`http://localhost/images/${sha256(png)}.png`);
    await plain.close();
  });

  describe('that no delivery names', () => {
    const other = makePng({ width: 77 });
    const image = (bytes: Buffer) => ({
      contentType: 'image/png' as const,
      bytes,
      hash: createHash('sha256').update(bytes).digest(),
    });
    const kept = async () => (await api.database.query(`SELECT 1 FROM images`)).length;
    const age = () => api.database.query(`UPDATE images SET used_at = now() - interval '25 hours'`);

    it('is removed after a day, and no other', async () => {
      await storeImage(api.database, image(other));
      expect(await removeUnusedImages(api.database, 100)).toBe(0);
      await age();
      const before = await kept();
      expect(await removeUnusedImages(api.database, 100)).toBe(1);
      expect(await kept()).toBe(before - 1);
      expect((await get(`${sha256(png)}.png`)).statusCode).toBe(200);
    });

    it('is not removed under a delivery that is just taking it', async () => {
      await storeImage(api.database, image(other));
      await age();
      await api.database.transaction(async (sql) => {
        await storeImage(sql, image(other));
        expect(await removeUnusedImages(api.database, 100)).toBe(0);
      });
      expect(await removeUnusedImages(api.database, 100)).toBe(0);
    });
  });
});
