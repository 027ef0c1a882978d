// tier: unit
// People report that the nested fields of a form do not arrive as the objects that they describe:
// https://github.com/fastify/fastify-multipart/issues/429, https://github.com/expressjs/multer/issues/32
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formFields } from '../../api/client/deliveries/create/form-fields.ts';
import { deliveryBody } from '../../api/client/deliveries/schema.ts';
import { testBody } from '../../api/client/test-browsers/send-schema.ts';

type Text = readonly [name: string, value: string];
const read = (texts: readonly Text[], schema: typeof deliveryBody | typeof testBody = deliveryBody) =>
  formFields(
    schema,
    texts.map(([name, value]) => ({ name, value })),
  );

const word = fc.string({ minLength: 1, maxLength: 8, unit: 'binary' });
const button = fc.record({ title: word, url: word });
const translation = fc.record(
  {
    language: word,
    title: word,
    body: word,
    action_buttons: fc.array(button, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['language', 'title', 'body'] },
);
const body = fc.record(
  {
    title: word,
    ttl_seconds: fc.nat(),
    require_interaction: fc.boolean(),
    action_buttons: fc.array(button, { minLength: 1, maxLength: 2 }),
    translations: fc.array(translation, { minLength: 1, maxLength: 12 }),
  },
  { requiredKeys: ['title'] },
);

/** How each of them writes a name below another. */
const styles = {
  'PHP and Rails with numbers': (path: string, key: string | number) => `${path}[${key}]`,
  'Rails without numbers': (path: string, key: string | number) =>
    typeof key === 'number' ? `${path}[]` : `${path}[${key}]`,
  'brackets and dots': (path: string, key: string | number) =>
    typeof key === 'number' ? `${path}[${key}]` : `${path}.${key}`,
  dots: (path: string, key: string | number) => `${path}.${key}`,
};

function flat(value: unknown, path: string, below: (path: string, key: string | number) => string): Text[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => flat(each, below(path, index), below));
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, child]) =>
    flat(child, path === '' ? key : below(path, key), below),
  );
}

describe('the fields of a form', () => {
  it.each(Object.entries(styles))('are those of the body that was written as %s write it', (_, below) => {
    fc.assert(
      fc.property(body, (whole) => {
        expect(read(flat(whole, '', below))).toEqual({ fields: whole, errors: {} });
      }),
    );
  });

  it('are in the order of their numbers, which may be left out, whatever the order they came in', () => {
    const { fields } = read([
      ['action_buttons[7][url]', 'b'],
      ['action_buttons[2].title', 'A'],
      ['action_buttons.7.title', 'B'],
      ['action_buttons[2][url]', 'a'],
    ]);
    expect(fields).toEqual({
      action_buttons: [
        { title: 'A', url: 'a' },
        { url: 'b', title: 'B' },
      ],
    });
  });

  it('without numbers begin an entry where a name comes again, also where it is empty', () => {
    const { fields } = read([
      ['action_buttons[][title]', ''],
      ['action_buttons[][url]', 'a'],
      ['action_buttons[][title]', 'B'],
      ['action_buttons[][url]', 'b'],
    ]);
    expect(fields).toEqual({ action_buttons: [{ url: 'a' }, { title: 'B', url: 'b' }] });
  });

  it.each([
    ['1', true],
    ['on', true],
    ['true', true],
    ['True', true],
    ['0', false],
    ['off', false],
    ['FALSE', false],
    ['yes', 'yes'],
    ['2', '2'],
  ])('%s is the boolean %s', (text, value) => {
    expect(read([['require_interaction', text]]).fields).toEqual({ require_interaction: value });
  });

  it('of one name are the last one, and of a list all of them', () => {
    const { fields } = read(
      [
        ['require_interaction', '0'],
        ['title', 'A'],
        ['require_interaction', '1'],
        ['title', 'B'],
        ['test_browser_ids', '3'],
        ['test_browser_ids', '5'],
      ],
      testBody,
    );
    expect(fields).toEqual({ require_interaction: true, title: 'B', test_browser_ids: [3, 5] });
    for (const name of [
      'test_browser_ids',
      'test_browser_ids[]',
      'test_browser_ids[0]',
      'test_browser_ids.0',
    ])
      expect(read([[name, '3']], testBody).fields).toEqual({ test_browser_ids: [3] });
  });

  it.each([
    'action_buttons[0]title',
    'action_buttons[0',
    'action_buttons]0[title]',
    'action_buttons[0]]',
    'action_buttons..title',
    'action_buttons.',
    '[0][title]',
    '.title',
    '',
    'action_buttons[00][title]',
    'action_buttons[10000][title]',
    'action_buttons[1000000000][title]',
    'a[0][0][0][0][0][0]',
    `action_buttons[${'0'.repeat(200)}][title]`,
  ])('named %s are refused', (name) => {
    const { fields, errors } = read([[name, 'A']]);
    expect(fields).toEqual({});
    expect(Object.values(errors)).toEqual([[expect.stringMatching(/is not named as forms name fields/)]]);
  });

  it.each([
    [
      [
        ['action_buttons', '[]'],
        ['action_buttons[0][title]', 'A'],
      ],
      'action_buttons[0][title]',
      /as a whole and in parts/,
    ],
    [
      [
        ['action_buttons[0][title]', 'A'],
        ['action_buttons', '[]'],
      ],
      'action_buttons',
      /as a whole and in parts/,
    ],
    [
      [
        ['action_buttons[0][title]', 'A'],
        ['action_buttons[][url]', 'a'],
      ],
      'action_buttons[][url]',
      /another way/,
    ],
    [
      [
        ['action_buttons[0][title]', 'A'],
        ['action_buttons[a][url]', 'a'],
      ],
      'action_buttons[a][url]',
      /another way/,
    ],
  ] as [Text[], string, RegExp][])('%j contradict each other', (texts, field, words) => {
    expect(read(texts).errors).toEqual({ [field]: [expect.stringMatching(words)] });
  });

  it('cannot reach a prototype', () => {
    const { fields } = read([
      ['action_buttons[__proto__][title]', 'A'],
      ['__proto__[admin]', '1'],
      ['constructor.prototype.admin', '1'],
    ]);
    expect(Object.keys(fields).sort()).toEqual(['__proto__', 'action_buttons', 'constructor']);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });
});
