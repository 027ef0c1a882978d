// tier: unit
// People report pictures that are stored and shown with a part of them missing, since nothing looked beyond a header:
// https://github.com/postmark-town/postmark/issues/3022, https://github.com/web-infra-dev/midscene/pull/2823
import { describe, expect, it } from 'vitest';
import { checkImage } from '../../engine/notification/images/check-image.ts';
import { makeJpeg, makePng } from '../support/images.ts';
import { photographs } from '../support/photographs.ts';

const words = async (bytes: Buffer): Promise<string> => {
  const checked = await checkImage(bytes);
  return checked.kind === 'image' ? checked.image.contentType : checked.words;
};

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
