// tier: unit
import { describe, expect, it } from 'vitest';
import { explainName, looksLike, shownName } from '../../../../api/account/log-in/provider/provider-name.ts';

describe('the name of an organization’s provider', () => {
  const reserved = [
    'Google',
    'Example ID',
    'OpenID',
    'IT',
    'Пример',
    '例社 ログイン',
    'Société Générale',
    'Müller',
  ];
  const ways: readonly (readonly [string, (name: string) => string])[] = [
    ['the same', (name) => name],
    ['in capitals', (name) => name.toUpperCase()],
    ['in small letters', (name) => name.toLowerCase()],
    ['with spaces around it', (name) => `  ${name} `],
    ['with spaces in it', (name) => [...name].join(' ')],
    ['without its spaces', (name) => name.replaceAll(' ', '')],
    ['with signs between', (name) => [...name].join('-')],
    ['with a space of no width', (name) => [...name].join('\u200b')],
    ['with marks that turn the direction', (name) => `\u202e${name}\u202c`],
    ['with accents', (name) => [...name].map((letter) => `${letter}\u0301`).join('')],
    [
      'in wide letters',
      (name) => name.replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)),
    ],
    [
      'in mathematical letters',
      (name) => name.replace(/[a-z]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0x1d3b9)),
    ],
    ['with Cyrillic letters', (name) => swap(name, 'aceopxyiABEHKMOPCTX', 'асеорхуіАВЕНКМОРСТХ')],
    ['with Greek letters', (name) => swap(name, 'oOEAIvpB', 'οΟΕΑΙνρΒ')],
    ['with numbers', (name) => swap(name, 'oOlIeEs', '0011335')],
    ['with small capitals', (name) => swap(name, 'ogleidnt', 'ᴏɢʟᴇɪᴅɴᴛ')],
    ['with more words', (name) => `Log-in at ${name} (official)`],
  ];
  const swap = (name: string, from: string, to: string): string =>
    [...name].map((sign) => [...to][[...from].indexOf(sign)] ?? sign).join('');

  it.each(reserved)('is refused where it looks like “%s” of the installation', (name) => {
    const installation = { name };
    const taken = ways
      .filter(([, way]) => explainName(way(name), installation) === null)
      .map(([what]) => what);
    expect(taken).toEqual([]);
    expect(ways.length).toBeGreaterThan(15);
  });

  it.each([
    ['Gооgle', 'Google'],
    ['ԌооɡӀе', 'Google'],
    ['Goog1e Workspace', 'Google'],
    ['GoogleWorkspace', 'Google'],
    ['Exarnple lD', 'Example ID'],
    ['ЕХАМРLЕ ІD', 'Example ID'],
    ['I T', 'IT'],
    ['Our IT', 'IT'],
  ])('“%s” is not taken for “%s”, for it is refused', (name, installation) => {
    expect(explainName(name, { name: installation })).not.toBeNull();
  });

  it.each([
    ['Keycloak', 'Google'],
    ['Example News', 'Example ID'],
    ['Kitchen', 'IT'],
    ['Новости', 'Google'],
    ['新聞社 SSO', 'Google'],
    ['Büro-Anmeldung & mehr', 'Google'],
    ['Ça va', 'OpenID'],
  ])('may be “%s” beside “%s”', (name, installation) => {
    expect(explainName(name, { name: installation })).toBeNull();
    expect(explainName(name, null)).toBeNull();
  });

  it('is not shown where it was chosen before the installation’s was', () => {
    const own = { name: 'GOOGLE', organization: 'Example News' };
    expect(shownName(own, { name: 'Google' })).toBe('Example News');
    expect(shownName(own, { name: 'Example ID' })).toBe('GOOGLE');
    expect(shownName(own, null)).toBe('GOOGLE');
  });

  it('of signs alone is compared by them', () => {
    expect([looksLike('★', '★'), looksLike('☆', '★')]).toEqual([true, false]);
  });
});
