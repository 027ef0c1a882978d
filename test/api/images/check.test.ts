// tier: unit
import { describe, expect, it } from 'vitest';
import { createImageCache } from '../../../api/images/cache.ts';
import { checkImage, MAX_IMAGE_BYTES } from '../../../engine/notification/images/check-image.ts';
import { makeJpeg, makePng } from '../../support/images.ts';

const words = async (bytes: Buffer): Promise<string> => {
  const checked = await checkImage(bytes);
  return checked.kind === 'image' ? checked.image.contentType : checked.words;
};

describe('the check of an image', () => {
  it('reads the type from the bytes', async () => {
    expect(await words(makePng())).toBe('image/png');
    for (const frame of [0xc0, 0xc1]) expect(await words(makeJpeg({ frame }))).toBe('image/jpeg');
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0')],
    ['a WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
    ['half a signature', makePng().subarray(0, 7)],
    ['a PNG without its header', makePng().subarray(0, 20)],
    [
      'a PNG whose first chunk is another',
      Buffer.from(makePng().toString('latin1').replace('IHDR', 'tEXt'), 'latin1'),
    ],
    ['a JPEG that ends before its frame', makeJpeg().subarray(0, 12)],
    ['a JPEG whose tables are taken for a frame', makeJpeg({ frame: 0xc4 })],
    ['a JPEG with arithmetic codes', makeJpeg({ frame: 0xc9 })],
    ['a JPEG of nothing', Buffer.from([0xff, 0xd8, 0xff])],
    ['a JPEG of junk', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2]), Buffer.alloc(1_000, 1)])],
    ['a JPEG of fill bytes', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(2_000_000, 0xff)])],
  ])('refuses %s', async (_, bytes) => {
    expect(await words(bytes)).toMatch(/must be a (whole )?PNG or JPG/);
  });

  it('refuses more than 2 MB, and takes 2 MB', async () => {
    expect(await words(makePng({ bytes: MAX_IMAGE_BYTES }))).toBe('image/png');
    expect(await words(makePng({ bytes: MAX_IMAGE_BYTES + 1 }))).toMatch(/larger than 2 MB/);
  });

  it.each([
    [0, 10],
    [10, 0],
    [16_385, 1],
    [1, 16_385],
    [10_000, 5_001],
    [0xffffffff, 0xffffffff],
  ])('refuses a picture of %d × %d pixels', async (width, height) => {
    expect(await words(makePng({ width, height }))).toMatch(/pixels/);
    if (width < 65_536) expect(await words(makeJpeg({ width, height }))).toMatch(/pixels/);
  });

  it('takes a picture of 50 megapixels', async () => {
    expect(await words(makePng({ width: 10_000, height: 5_000 }))).toBe('image/png');
    expect(await words(makeJpeg({ width: 16_384, height: 1 }))).toBe('image/jpeg');
  });
});

it('takes a JPEG of up to 64 scans: each may be of all its blocks', async () => {
  const whole = makeJpeg();
  const scan = whole.indexOf(Buffer.from([0xff, 0xda]));
  const scans = (count: number): Buffer =>
    Buffer.concat([
      whole.subarray(0, scan),
      ...Array.from({ length: count }, () => whole.subarray(scan, -2)),
      whole.subarray(-2),
    ]);
  expect(await words(scans(64))).toBe('image/jpeg');
  expect(await words(scans(65))).toMatch(/must be a whole/);
});

describe('the cache of images', () => {
  const image = (name: number, bytes: number) => ({
    contentType: 'image/png' as const,
    bytes: Buffer.alloc(bytes),
    hash: Buffer.alloc(32, name),
  });

  const limits = { maxBytes: 100, maxAgeMs: 600_000 };

  it('drops a removed image within ten minutes, and looks the others up again', async () => {
    let nowMs = 0;
    const there = new Map([1, 2].map((name) => [name, image(name, 10)]));
    const cache = createImageCache(async ({ hash }) => there.get(hash[0] ?? 0) ?? null, {
      ...limits,
      nowMs: () => nowMs,
    });
    const get = (name: number) => cache.get({ hash: Buffer.alloc(32, name), small: false });
    expect([await get(1), await get(2)]).toEqual([image(1, 10), image(2, 10)]);
    there.delete(1);
    nowMs = 599_999;
    expect(await get(1)).toEqual(image(1, 10));
    nowMs = 600_000;
    expect([await get(1), await get(2)]).toEqual([null, image(2, 10)]);
  });

  it('holds no more than its bytes, and evicts the least recently used', async () => {
    const loads: number[] = [];
    const cache = createImageCache(async ({ hash }) => {
      loads.push(hash[0] ?? 0);
      return image(hash[0] ?? 0, 40);
    }, limits);
    for (const name of [1, 2, 1, 3, 1, 2]) await cache.get({ hash: Buffer.alloc(32, name), small: false });
    expect(loads).toEqual([1, 2, 3, 2]);
  });

  it('caches neither a missing image nor a failure', async () => {
    let loads = 0;
    const cache = createImageCache(async () => {
      loads++;
      if (loads === 1) throw new Error('away');
      return null;
    }, limits);
    const hash = Buffer.alloc(32, 1);
    await expect(cache.get({ hash, small: false })).rejects.toThrow('away');
    expect(await cache.get({ hash, small: false })).toBeNull();
    expect(await cache.get({ hash, small: false })).toBeNull();
    expect(loads).toBe(3);
  });
});
