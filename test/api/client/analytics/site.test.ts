// tier: unit
import { describe, expect, it } from 'vitest';
import { parseDomain, siteOf } from '../../../../api/shared/revenue/site.ts';

describe('an app’s site', () => {
  it.each([
    ['https://news.example', 'news.example', []],
    ['https://www.news.example:8443', 'news.example', []],
    ['https://WWW.News.Example', 'news.example', []],
    ['https://sport.news.example', 'sport.news.example', ['news.example']],
    ['https://www.a.b.news.example', 'a.b.news.example', ['b.news.example', 'news.example']],
    ['https://www.example', 'www.example', []],
    ['http://localhost:3000', 'localhost', []],
  ])('%s is %s, below %j', (domain, name, parents) => {
    expect(siteOf(domain)).toEqual({ name, names: [name, `www.${name}`], parents });
  });

  it('is written in ASCII, and found in Unicode too', () => {
    expect(siteOf('https://www.bücher.example')).toEqual({
      name: 'xn--bcher-kva.example',
      names: ['xn--bcher-kva.example', 'www.xn--bcher-kva.example', 'bücher.example', 'www.bücher.example'],
      parents: [],
    });
  });
});

describe('a domain that is granted', () => {
  it.each([
    ['news.example', 'news.example'],
    [' WWW.News.Example. ', 'news.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['sport.news.example', 'sport.news.example'],
  ])('may be written %s', (text, domain) => {
    expect(parseDomain(text)).toBe(domain);
  });

  it.each([
    ...['', '*', 'example', 'https://news.example', 'news.example/a', 'news.example:80', 'a b.example'],
    ...['u@news.example', 'news.example?x', '127.0.0.1', '[::1]', '*.news.example', 'localhost'],
  ])('is not "%s"', (text) => {
    expect(parseDomain(text)).toBeNull();
  });
});
