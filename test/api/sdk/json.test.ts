// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../../api/sdk/browser/json.ts';

describe('the SDK’s own JSON', () => {
  it('says what `JSON.stringify` says, of all plain data', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(JSON.parse(jsonOf(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    [undefined, 'null'],
    [Number.NaN, 'null'],
    [[undefined, Number.POSITIVE_INFINITY], '[null,null]'],
    [{ left: undefined, kept: null }, '{"kept":null}'],
    ['"\\\n\0\u2028\ud83d\ude00\ud800', '"\\u0022\\u005c\\u000a\\u0000\u2028\\ud83d\\ude00\\ud800"'],
  ])('writes %j as an API can read it', (value, text) => {
    expect(jsonOf(value)).toBe(text);
  });
});
