// tier: unit
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { checkIcon } from '../../../engine/notification/icons/check-icon.ts';
import { writePng } from '../../../engine/notification/icons/png-icon.ts';
import { shrink, turn } from '../../../engine/notification/icons/resize.ts';
import { makeJpeg, makePng } from '../../support/images.ts';

const fileOf = (name: string): Buffer =>
  readFileSync(new URL(`../../support/icons/${name}`, import.meta.url));
/** The corners of the pictures in the folder, each a quarter. */
const quarters = { red: [220, 30, 30], green: [30, 160, 60], blue: [30, 60, 200], light: [240, 240, 240] };

const iconOf = async (bytes: Buffer) => {
  const checked = await checkIcon('icon', bytes);
  if (checked.kind !== 'icon') throw new Error(checked.words);
  return checked.icon;
};
const wordsOf = async (bytes: Buffer, use: 'icon' | 'badge' | 'touch-icon' = 'icon'): Promise<string> => {
  const checked = await checkIcon(use, bytes);
  return checked.kind === 'icon' ? 'taken' : checked.words;
};
/** Of the middle of each quarter: red, green, blue, opacity. */
function cornersOf(bytes: Buffer) {
  const { width, data } = PNG.sync.read(bytes);
  const [near, far] = [Math.floor(width / 4), Math.floor((width * 3) / 4)];
  return [
    [near, near],
    [far, near],
    [near, far],
    [far, far],
  ].map(([x = 0, y = 0]) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]);
}
const isNear = (found: readonly number[], wanted: readonly number[], by: number): boolean =>
  wanted.every((value, at) => Math.abs(value - (found[at] ?? -1_000)) <= by);
const square = (side: number, alpha: (x: number, y: number) => number = () => 255): Buffer => {
  const data = new Uint8Array(side * side * 4).fill(200);
  for (let at = 0; at < side * side; at++) data[at * 4 + 3] = alpha(at % side, Math.floor(at / side));
  return writePng({ width: side, height: side, data, colours: [] });
};

describe('an icon that another program wrote', () => {
  it.each([
    ['cwebp-lossy.webp', 'light', 14],
    ['cwebp-lossless.webp', null, 0],
    ['gm-cmyk.jpg', 'light', 110],
    ['gm-interlaced.png', 'light', 1],
    ['gm-progressive.jpg', 'light', 14],
    ['pillow-animated.png', 'light', 0],
    ['pillow-baseline.jpg', 'light', 14],
    ['pillow-cmyk.jpg', 'light', 14],
    ['pillow-exif-5.jpg', 'light', 14],
    ['pillow-exif-6.jpg', 'light', 14],
    ['pillow-lossless.webp', null, 0],
    ['pillow-lossy-alpha.webp', null, 14],
    ['pillow-palette-trns.png', null, 2],
    ['pillow-profile.jpg', 'light', 14],
    ['pillow-profile.png', 'light', 0],
    ['pillow-profile.webp', 'light', 14],
    ['pillow-progressive.jpg', 'light', 14],
    ['pillow-rgba.png', null, 0],
    ['pngcrush.png', null, 0],
  ] as const)('is shown as it looks: %s', async (name, last, by) => {
    const { bytes, small } = await iconOf(fileOf(name));
    for (const [png, side] of [
      [bytes, 200],
      [small ?? Buffer.alloc(0), 192],
    ] as const) {
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([side, side]);
      const found = cornersOf(png);
      for (const [at, colour] of (['red', 'green', 'blue'] as const).entries())
        expect([name, colour, found[at], isNear(found[at] ?? [], [...quarters[colour], 255], by)]).toEqual([
          name,
          colour,
          found[at],
          true,
        ]);
      if (last === null) expect(found[3]?.[3]).toBeLessThanOrEqual(2);
      else expect(isNear(found[3] ?? [], [...quarters[last], 255], by)).toBe(true);
    }
  });

  it('keeps what says which colours its numbers are, and nothing else that is said of it', async () => {
    for (const name of ['pillow-profile.jpg', 'pillow-profile.png', 'pillow-profile.webp'])
      expect((await iconOf(fileOf(name))).bytes.includes('iCCP')).toBe(true);
    expect((await iconOf(fileOf('pillow-cmyk.jpg'))).bytes.includes('iCCP')).toBe(false);
    expect((await iconOf(fileOf('pillow-exif-6.jpg'))).bytes.includes('Exif')).toBe(false);
  });

  it('of 16 bits keeps its course from dark to light', async () => {
    const { data, width } = PNG.sync.read((await iconOf(fileOf('pillow-grey-16-bit.png'))).bytes);
    for (const x of [0, 50, 100, 150, 199])
      expect(Math.abs((data[(100 * width + x) * 4] ?? 0) - (x * 255) / 199)).toBeLessThan(2);
  });

  it('is a grey one in grey', async () => {
    const [corner = []] = cornersOf((await iconOf(fileOf('pillow-grey.jpg'))).bytes);
    expect(new Set(corner.slice(0, 3)).size).toBe(1);
  });
});

describe('a file that is not an icon is refused with what to do instead', () => {
  it.each([
    ['an animated WebP', fileOf('pillow-animated.webp'), /still picture/],
    ['a GIF', fileOf('pillow-animated.gif'), /PNG, JPEG or WebP/],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /PNG, JPEG or WebP/],
    ['nothing', Buffer.alloc(0), /PNG, JPEG or WebP/],
    ['a wide one', makePng({ width: 400, height: 300 }), /square: this one has 400 × 300/],
    ['a small one', makePng({ width: 191, height: 191 }), /at least 192 pixels a side: this one has 191/],
    ['a large one', makePng({ width: 4_097, height: 4_097 }), /at most 4096/],
    ['a bomb', makePng({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }), /at most 4096/],
    ['a JPEG bomb', makeJpeg({ width: 65_000, height: 65_000 }), /at most 4096/],
    ['2 MB and a byte', makePng({ bytes: 2_097_153 }), /larger than 2 MB/],
  ])('%s', async (_, bytes, words) => {
    expect(await wordsOf(bytes)).toMatch(words);
  });

  it('a WebP whose parts claim another size than its frame', async () => {
    const whole = fileOf('pillow-profile.webp');
    const at = whole.indexOf('VP8 ');
    const changed = Buffer.from(whole);
    changed.writeUInt16LE(16_383, at + 14);
    expect(await wordsOf(changed)).toMatch(/at most 4096/);
  });

  it('whatever its name says: the bytes decide', async () => {
    expect(await wordsOf(makePng({ width: 192, height: 192 }))).toBe('taken');
    expect(await wordsOf(makeJpeg({ width: 192, height: 192 }))).toBe('taken');
  });

  it('one that is cut anywhere', async () => {
    let cut = 0;
    for (const name of ['pillow-rgba.png', 'pillow-progressive.jpg', 'cwebp-lossy.webp', 'gm-cmyk.jpg']) {
      const whole = fileOf(name);
      for (let length = 12; length < whole.length - 2; length += 61, cut++)
        expect([name, length, await wordsOf(whole.subarray(0, length))]).toEqual([
          name,
          length,
          expect.stringMatching(/whole image|PNG, JPEG or WebP/),
        ]);
    }
    expect(cut).toBeGreaterThan(50);
  });

  it('one with any byte changed: it is taken or refused, and the next one is read', async () => {
    const files = ['cwebp-lossy.webp', 'pillow-lossy-alpha.webp', 'pillow-progressive.jpg'].map(fileOf);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        async (file, changes) => {
          const changed = Buffer.from(file);
          for (const [at, byte] of changes) changed[at % changed.length] = byte;
          expect(await wordsOf(changed)).not.toBe('');
        },
      ),
      { numRuns: 60 },
    );
    expect(await wordsOf(fileOf('cwebp-lossy.webp'))).toBe('taken');
  });
});

describe('a touch icon of a site', () => {
  it('may have the 180 pixels of iPhones, and is not blown up', async () => {
    const checked = await checkIcon('touch-icon', square(180));
    expect(checked.kind === 'icon' && checked.icon.small?.readUInt32BE(16)).toBe(180);
    expect(await wordsOf(square(179), 'touch-icon')).toMatch(/at least 180/);
  });
});

describe('a badge', () => {
  it('is a mark in a transparent square, served with 96 pixels', async () => {
    for (const name of ['pillow-badge.png', 'pillow-badge-grey-alpha.png']) {
      const checked = await checkIcon('badge', fileOf(name));
      expect(checked.kind === 'icon' && [checked.icon.bytes.readUInt32BE(16), checked.icon.small]).toEqual([
        96,
        null,
      ]);
    }
  });

  it.each([
    ['an opaque one', square(96), /white square/],
    ['one with a see-through pixel', square(96, (x, y) => (x + y === 0 ? 0 : 255)), /white square/],
    ['an empty one', square(96, () => 0), /transparent/],
    ['a small one', square(95, (x) => (x < 40 ? 255 : 0)), /at least 96/],
    ['a JPEG', fileOf('pillow-baseline.jpg'), /must be a PNG/],
    ['a WebP', fileOf('pillow-lossless.webp'), /must be a PNG/],
  ])('is refused where it is %s', async (_, bytes, words) => {
    expect(await wordsOf(bytes, 'badge')).toMatch(words);
  });
});

describe('a picture made smaller', () => {
  it('has the colours of the large one, and no colour of what is see-through', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 60 }),
        fc.nat(255),
        (to, from, red) => {
          const data = new Uint8Array(from * from * 4);
          for (let at = 0; at < from * from; at++)
            data.set(at % 3 === 0 ? [0, 255, 255, 0] : [red, 7, 9, 255], at * 4);
          const { data: made, side } = shrink({ data, side: from }, to);
          expect(side).toBe(Math.min(to, from));
          for (let at = 0; at < made.length; at += 4)
            if ((made[at + 3] ?? 0) > 8 && side < from)
              expect(isNear([...made.subarray(at, at + 3)], [red, 7, 9], 1)).toBe(true);
        },
      ),
    );
  });

  it('is turned as its camera was held', () => {
    const data = Uint8Array.from([1, 2, 3, 4].flatMap((value) => [value, 0, 0, 255]));
    const shown = (orientation: number) =>
      [0, 4, 8, 12].map((at) => turn({ data, side: 2 }, orientation).data[at]);
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map(shown)).toEqual([
      [1, 2, 3, 4],
      [2, 1, 4, 3],
      [4, 3, 2, 1],
      [3, 4, 1, 2],
      [1, 3, 2, 4],
      [3, 1, 4, 2],
      [4, 2, 3, 1],
      [2, 4, 1, 3],
      [1, 2, 3, 4],
    ]);
  });
});
