// tier: unit
import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../api/sdk/browser/app-prompts/choose-language.ts';
import { matches, mayAsk } from '../../../api/sdk/browser/app-prompts/globs.ts';
import { allTexts } from '../../../api/sdk/browser/app-prompts/texts/all.ts';
import { helpedBrowsers } from '../../../api/sdk/browser/app-prompts/texts.ts';
import { helpedBrowser } from '../../../api/sdk/browser/app-prompts/which-browser.ts';

describe('the addresses of prompts', () => {
  it.each<[pattern: string, path: string, isMeant: boolean]>([
    ['/', '/', true],
    ['/', '/news', false],
    ['/news/*', '/news/', true],
    ['/news/*', '/news/storm', true],
    ['/news/*', '/newsletter', false],
    ['*/live', '/sport/live', true],
    ['*/live', '/sport/live/2', false],
    ['/a*b*c', '/a-b-b-c', true],
    ['/a*b*c', '/a-c-b', false],
    // The end may not be what the start has used.
    ['/ab*ba', '/aba', false],
    ['/a.c', '/abc', false],
    ['*', '/anything', true],
  ])('%s means %s: %s', (pattern, path, isMeant) => {
    expect(matches(pattern, path)).toBe(isMeant);
  });

  it('are everywhere where none are named, and what is hidden stays so', () => {
    expect(mayAsk({ showOn: [], hideOn: [] }, '/x')).toBe(true);
    expect(mayAsk({ showOn: ['/news/*'], hideOn: [] }, '/x')).toBe(false);
    expect(mayAsk({ showOn: ['/news/*'], hideOn: ['*/shop'] }, '/news/shop')).toBe(false);
  });

  it('take no longer for a pattern that means nearly everything', () => {
    expect(matches(`/${'*a'.repeat(120)}b`, `/${'a'.repeat(20_000)}`)).toBe(false);
  });
});

describe('the texts of prompts', () => {
  const languages = Object.entries(allTexts);

  it('are there in twelve languages', () => {
    expect(languages.map(([language]) => language).join()).toBe('en,de,fr,es,it,pt,nl,pl,tr,ar,he,ja');
  });

  it.each(languages)('in %s are all there, each its own, with steps for every browser', (language, texts) => {
    const { help, ...words } = texts;
    const all = [...Object.values(words), ...Object.values(help).flat()];
    expect(all.every((text) => text.trim().length > 1)).toBe(true);
    expect(Object.keys(help)).toEqual([...helpedBrowsers]);
    expect(Object.values(help).every((steps) => steps.length >= 3)).toBe(true);
    const english = Object.values(allTexts.en ?? {}).filter((text) => typeof text === 'string');
    if (language !== 'en') expect(all.filter((text) => english.includes(text))).toEqual([]);
  });

  it('are those of the page, else of the browser, else English', () => {
    const known = Object.keys(allTexts);
    expect(languageOf(['de-AT', 'fr'], known)).toBe('de');
    expect(languageOf(['', 'fr-CA', 'en'], known)).toBe('fr');
    expect(languageOf(['fi', 'sv'], known)).toBe('en');
    expect(languageOf(['not a language', 'iw-IL'], ['en', 'he'])).toBe('he');
  });
});

describe('the help', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';
  it.each([
    ['chromeDesktop', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`],
    ['chromeAndroid', `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`],
    ['edge', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/141.0.0.0`],
    ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    [
      'safari',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    ],
  ])('for %s is chosen by its name', (browser, agent) => {
    expect(helpedBrowser(agent, false)).toBe(browser);
    expect(helpedBrowser(agent, true)).toBe('ios');
  });
});
