// tier: unit
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createImageCache } from '../../../api/images/cache.ts';
import { checkImage, MAX_IMAGE_BYTES } from '../../../engine/notification/images/check-image.ts';
import { orientationOf } from '../../../engine/notification/images/exif.ts';
import { makeJpeg, makePng } from '../../support/images.ts';
import { photographs } from '../../support/photographs.ts';

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

describe('a picture that is not whole', () => {
  const jpegs = Object.entries(photographs).map(
    ([name, text]) => [name, Buffer.from(text, 'base64')] as const,
  );
  const png = makePng({ width: 300, height: 200 });
  const end = Buffer.from([0xff, 0xd9]);

  it.each(jpegs)('is refused wherever a %s JPEG is cut, with an end behind or not', async (_, whole) => {
    expect(await words(whole)).toBe('image/jpeg');
    let tried = 0;
    for (let length = 3; length < whole.length - 4; length += 7) {
      const part = whole.subarray(0, length);
      expect([length, await words(part)]).toEqual([length, expect.stringMatching(/whole/)]);
      expect([length, await words(Buffer.concat([part, end]))]).toEqual([
        length,
        expect.stringMatching(/whole/),
      ]);
      tried++;
    }
    expect(tried).toBeGreaterThan(50);
  });

  it('is refused wherever a PNG is cut or changed', async () => {
    for (let at = 8; at < png.length; at++) {
      expect([at, await words(png.subarray(0, at))]).toEqual([at, expect.stringMatching(/whole/)]);
      const changed = Buffer.from(png);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect([at, await words(changed)]).toEqual([at, expect.stringMatching(/whole|pixels/)]);
    }
    expect(png.length).toBeGreaterThan(60);
  });

  it('is refused where rows of pixels are missing, however right its checksums are', async () => {
    const [low, high] = [makePng({ width: 64, height: 32 }), makePng({ width: 64, height: 33 })];
    expect(await words(Buffer.concat([high.subarray(0, 33), low.subarray(33)]))).toMatch(/whole/);
    const wide = makeJpeg({ width: 64, height: 80 });
    const tall = makeJpeg({ width: 64, height: 400 });
    expect(await words(Buffer.concat([tall.subarray(0, 100), wide.subarray(100)]))).toMatch(/whole/);
  });
});

describe('what a picture says beside what it shows', () => {
  const exif = (order: 'MM' | 'II', orientation: number): Buffer => {
    const tiff = Buffer.from('4d4d002a000000080002011200030000000100010000882500040000000100000026', 'hex');
    tiff.writeUInt16BE(orientation, 18);
    const place = Buffer.from('GPS 59.9139 N 10.7522 E');
    if (order === 'MM') return Buffer.concat([tiff, place]);
    const little = Buffer.from('49492a0008000000010012010300010000000100000000000000', 'hex');
    little.writeUInt16LE(orientation, 18);
    return Buffer.concat([little, place]);
  };
  const segment = (marker: number, text: Buffer | string): Buffer => {
    const data = Buffer.from(text);
    return Buffer.concat([
      Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]),
      data,
    ]);
  };
  const behind = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
    Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
  const cleaned = async (bytes: Buffer): Promise<Buffer> => {
    const checked = await checkImage(bytes);
    if (checked.kind === 'refused') throw new Error(checked.words);
    return checked.image.bytes;
  };

  it.each(Object.entries(photographs))('is not in what is stored of a %s JPEG', async (_, text) => {
    const plain = await cleaned(Buffer.from(text, 'base64'));
    const told = behind(
      Buffer.concat([Buffer.from(text, 'base64'), Buffer.from('GPS behind the end')]),
      ...[
        segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif('MM', 1)])),
        segment(0xfe, 'GPS in a comment'),
      ],
      ...[
        segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0GPS'),
        segment(0xed, 'Photoshop 3.0\0GPS'),
        segment(0xe2, 'MPF\0GPS'),
      ],
    );
    expect(told.includes('GPS')).toBe(true);
    expect(await cleaned(told)).toEqual(plain);
  });

  it.each([
    ['MM', 6],
    ['II', 8],
    ['II', 3],
  ] as const)('is how to turn it alone (%s, %i), and its colours', async (order, turn) => {
    const colours = segment(0xe2, 'ICC_PROFILE\0\x01\x01profile');
    const told = Buffer.concat([Buffer.from('Exif\0\0'), exif(order, turn)]);
    const kept = await cleaned(behind(makeJpeg(), segment(0xe1, told), colours));
    expect(kept.includes('GPS')).toBe(false);
    expect(kept.includes(colours)).toBe(true);
    const tiff = kept.subarray(kept.indexOf('Exif\0\0') + 6);
    expect(orientationOf(tiff)).toBe(turn);
    expect(await cleaned(kept)).toEqual(kept);
  });

  it('is not in what is stored of a PNG', async () => {
    const chunk = (type: string, text: string | Buffer): Buffer => {
      const data = Buffer.concat([Buffer.from(type), Buffer.from(text)]);
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(data.length - 4);
      sum.writeUInt32BE(crc32(data));
      return Buffer.concat([length, data, sum]);
    };
    const png = makePng();
    const told = Buffer.concat([
      ...[
        png.subarray(0, 33),
        chunk('tEXt', 'Comment\0GPS'),
        chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0GPS'),
      ],
      ...[chunk('eXIf', exif('MM', 1)), chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])), chunk('zTXt', 'GPS')],
      ...[png.subarray(33), Buffer.from('GPS behind the end')],
    ]);
    const kept = await cleaned(told);
    expect([kept.includes('GPS'), kept.includes('gAMA')]).toEqual([false, true]);
    const turned = Buffer.concat([png.subarray(0, 33), chunk('eXIf', exif('MM', 6)), png.subarray(33)]);
    const stillTurned = await cleaned(turned);
    expect([stillTurned.includes('GPS'), stillTurned.includes('eXIf')]).toEqual([false, true]);
  });
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
