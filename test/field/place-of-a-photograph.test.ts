// tier: unit
// People report that a photograph is served with the place where it was taken:
// https://github.com/CartoDB/cartodb/issues/15241, https://github.com/idno/idno/issues/288
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkImage } from '../../engine/notification/images/check-image.ts';
import { orientationOf } from '../../engine/notification/images/exif.ts';
import { makeJpeg, makePng } from '../support/images.ts';
import { photographs } from '../support/photographs.ts';

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
