// tier: unit
import { describe, expect, it } from 'vitest';
import { isHttpUrl } from '../../../api/http/fields.ts';

describe('an address that a click opens', () => {
  it.each([
    'https://news.example',
    'HTTP://news.example/a?b#c',
    'https://müller.example/ä',
    'https://[2001:db8::1]/',
  ])('may be %s', (url) => expect(isHttpUrl(url)).toBe(true));

  it.each([
    ...['', 'news.example', '//news.example', 'javascript:alert(1)', 'https://', 'https:news.example'],
    // The parser drops these at the ends, so that parameters would be added behind them.
    ...[' ', '\u0000', '\u0001', '\u001f', '\t', '\n', '\u2028', '\u0085'].flatMap((sign) => [
      `https://news.example${sign}`,
      `${sign}https://news.example`,
      `https://news.example/a${sign}b`,
    ]),
  ])('may not be %j', (url) => expect(isHttpUrl(url)).toBe(false));
});
