// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildNotification } from '../../engine/notification/notification.ts';
import { createRenderText, type TagValues } from '../../engine/notification/personal/render.ts';
import { buildTexts, TextRefused, type TextsContent } from '../../engine/notification/texts.ts';

const origin = { app: 'news-1', delivery: 'dlv_1', proof: 'proof' };
const content = (changes: Partial<TextsContent> = {}): TextsContent => ({
  ...{ title: 'Storm', body: 'What to know', url: 'https://news.example.com/1', imageUrl: null, buttons: [] },
  ...{ topic: null, requireInteraction: false, silent: false, vibratePattern: [], language: null },
  ...{ translations: [], mayBePersonal: true },
  ...changes,
});
const built = (changes: Partial<TextsContent> = {}) =>
  buildTexts(content(changes), origin, [{ key: 'utm_source', value: 'push' }]);
const shown = (plaintext: Uint8Array | null) =>
  JSON.parse(Buffer.from(plaintext ?? '').toString()).notification;

/** What a reader with these values of the delivery's tags is shown. */
function read(changes: Partial<TextsContent>, values: TagValues, text = 0) {
  const { wording } = built(changes);
  if (wording === null) throw new Error('everyone gets the same text');
  return shown(createRenderText(wording)(text, values));
}
const refusal = (changes: Partial<TextsContent>): [string, string] => {
  try {
    built(changes);
  } catch (error) {
    if (error instanceof TextRefused) return [error.field, error.message];
    throw error;
  }
  throw new Error('it was not refused');
};

describe('texts of a delivery', () => {
  it('are one plaintext for everyone where no language and no tag is named', () => {
    const at = Date.UTC(2026, 0, 31);
    const params = [{ key: 'utm_source', value: 'push' }];
    const { plaintext, wording, mostBytes } = buildTexts(content(), origin, params, at);
    expect(wording).toBeNull();
    expect(plaintext).toEqual(buildNotification(content(), origin, params, at));
    expect(mostBytes).toBe(plaintext.length);
  });

  it('name a reader’s tags in title, body, buttons and addresses', () => {
    const changes = {
      title: 'Hello {{ tag.name | capitalize }}',
      body: 'News for {{ tag["home town"] }}',
      url: 'https://news.example.com/{{ tag["home town"] | downcase }}?for={{ tag.name }}#top',
      buttons: [{ title: '{{ tag.name | upcase }}?', url: 'https://news.example.com/b?n={{tag.name}}' }],
    };
    expect(read(changes, ['anna', 'Bad Ems'])).toMatchObject({
      title: 'Hello Anna',
      body: 'News for Bad Ems',
      navigate: 'https://news.example.com/bad%20ems?for=anna&utm_source=push#top',
      actions: [{ title: 'ANNA?', navigate: 'https://news.example.com/b?n=anna&utm_source=push' }],
    });
    expect(built(changes).wording?.tags).toEqual(['name', 'home town']);
  });

  it('say the default to a reader without the tag, or with an empty one', () => {
    const changes = { title: 'Hello {{ tag.name | default: "reader" }}' };
    for (const value of [null, '']) expect(read(changes, [value]).title).toBe('Hello reader');
    expect(read(changes, ['Ben']).title).toBe('Hello Ben');
    expect(shown(built(changes).plaintext).title).toBe('Hello reader');
  });

  it('say two braces where they are written as text, and what a feed says word for word', () => {
    expect(shown(built({ title: 'Use {{ "{{" }} x }}' }).plaintext).title).toBe('Use {{ x }}');
    const title = 'Use {{ x }} and {% if %}';
    expect(shown(built({ title, mayBePersonal: false }).plaintext).title).toBe(title);
    expect(built({ title, mayBePersonal: false }).wording).toBeNull();
  });

  it('have a plaintext for each language, with the main text’s links where none are given', () => {
    const buttons = [{ title: 'Read', url: 'https://news.example.com/b' }];
    const { wording } = built({
      ...{ language: 'en', buttons },
      translations: [
        { language: 'de', title: 'Sturm', body: 'Was man weiß', url: null, buttons: null },
        {
          ...{ language: 'fr', title: 'Tempête', body: 'À savoir', url: 'https://news.example.com/fr' },
          buttons: [{ title: 'Lire', url: 'https://news.example.com/fr/b' }],
        },
      ],
    });
    expect(wording).toMatchObject({ tags: [], outputs: [] });
    const render = createRenderText(wording as never);
    const [en, de, fr] = [0, 1, 2].map((text) => shown(render(text, [])));
    expect(en).toMatchObject({ title: 'Storm', lang: 'en' });
    expect(de).toMatchObject({ title: 'Sturm', lang: 'de', navigate: en.navigate, actions: en.actions });
    expect(fr).toMatchObject({
      ...{ title: 'Tempête', lang: 'fr', navigate: 'https://news.example.com/fr?utm_source=push' },
      actions: [{ title: 'Lire' }],
    });
    // Made once: sealing knows by the object that it is the same text.
    expect(render(1, [])).toBe(render(1, []));
  });

  it('stay one JSON string and inside their bound, whatever a tag says', () => {
    const outputs = [
      '{{ tag.a }}',
      '{{ tag.a | upcase }}',
      '{{ tag.b | truncate: 7 }}',
      '{{ tag.b | capitalize }}',
    ];
    const { wording, mostBytes } = built({
      title: `x ${outputs.join(' ')}`,
      body: `y ${outputs.join('')}`,
      url: `https://news.example.com/${outputs[1]}?q=${outputs[2]}`,
    });
    const render = createRenderText(wording as never);
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 255 }),
      fc.constantFrom(
        '€'.repeat(255),
        '\u0390'.repeat(255),
        '\u0000'.repeat(255),
        '"\\'.repeat(127),
        '\ud800'.repeat(255),
        '😀'.repeat(127),
      ),
    );
    fc.assert(
      fc.property(value, value, (a, b) => {
        const plaintext = render(0, [a, b]);
        const { title, navigate, data } = shown(plaintext);
        expect(plaintext?.length).toBeLessThanOrEqual(mostBytes);
        expect(title.startsWith('x ')).toBe(true);
        expect(title).not.toMatch(/\p{Cc}/u);
        expect(new URL(navigate).origin).toBe('https://news.example.com');
        expect(data).toEqual(origin);
      }),
      { numRuns: 300 },
    );
  });

  it('know how large they can become: less where a tag is truncated', () => {
    const bytes = (output: string) => built({ title: `x ${output}` }).mostBytes;
    const none = bytes('y') - 1;
    expect(bytes('{{ tag.name }}') - none).toBe(255 * 3);
    expect(bytes('{{ tag.name | truncate: 40 }}') - none).toBe(40 * 3);
    // Upper case may be longer than what was truncated.
    expect(bytes('{{ tag.name | truncate: 40 | upcase }}') - none).toBe(255 * 3);
    expect(bytes('{{ tag.name | truncate: 999 }}') - none).toBe(255 * 3);
    expect(bytes('{{ tag.name | truncate: 40 | strip }}') - none).toBe(40 * 3);
    expect(bytes('{{ tag.name | truncate: 2, "…and more" }}') - none).toBe(9 * 3);
  });

  it.each([
    ['{{ name }}', 'reads name, which is not known'],
    ['{{ tag }}', 'reads tag, which is not known'],
    ['{{ tag.a.b }}', 'reads tag.a.b, which is not known'],
    ['{{ tag.a.size }}', 'reads tag.a.size, which is not known'],
    ['{{ tag.size }}', 'reads tag.size, which is not known'],
    ['x {{ (1..tag.a) }}', '(at character 6)'],
    ['x {{ tag.a == "b" }}', 'cannot be read'],
    ['x {{ tag.a contains "b" }}', 'cannot be read'],
    ['x {{ tag.a and tag.b }}', 'cannot be read'],
    ['x {{ tag.a | default: tag.b }}', 'neither a text in quotes nor a number (at character 23)'],
    ['x {{ tag.a | default: (1..9) }}', 'neither a text in quotes nor a number'],
    ['x {{ tag.a | upcase: 1 }}', 'upcase with a value: it takes none'],
    ['x {{ tag.a | truncate: "40" }}', 'needs a whole number'],
    ['x {{ tag.a | truncate: 1.5 }}', 'needs a whole number'],
    ['x {{ tag.a | default }}', 'needs one text'],
    [`x {{ tag.a ${'| strip '.repeat(11)}}}`, 'more than 10 filters'],
    ['x {% raw %}{{ y }}{% endraw %}', 'has a {% %}'],
    ['{{ tag[tag.a] }}', 'which is not known'],
    ['x {{ tag.a | date: "%Y" }}', 'has a filter that is not known'],
    ['x {{ tag.a', 'cannot be read'],
    ['x {% if tag.a %}y{% endif %}', 'has a {% %}'],
    ['{{ tag.a }}', 'is empty for readers without the tag'],
    ['{{ tag.a }}{{ tag.b }}{{ tag.c }}{{ tag.d }}{{ tag.e }}{{ tag.f }}', 'reads more than 5 tags'],
  ])('are refused with the reason: %s', (title, why) => {
    const [field, message] = refusal({ title });
    expect(field).toBe('/title');
    expect(message).toContain(why);
  });

  it('name the field that is wrong, also of a translation, and keep the host the publisher’s', () => {
    const translation = { language: 'de', title: 'Sturm', body: '{{ x }}', url: null, buttons: null };
    expect(refusal({ translations: [translation] })[0]).toBe('/translations/0/body');
    for (const url of ['https://{{ tag.a }}/', 'https://news.{{ tag.a }}.example/x', 'https://x{{ tag.a }}'])
      expect(refusal({ url })).toEqual(['/url', 'must have its host before the first {{']);
    const buttons = [{ title: 'x', url: 'https://{{ tag.a }}/' }];
    expect(refusal({ buttons })[0]).toBe('/action_buttons/0/url');
  });
});
