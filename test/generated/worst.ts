import type { InjectOptions } from 'fastify';
import type { ListedRoute, Schema } from './routes.ts';

const MEGABYTE = 1_048_576;

/** Runs of what parsers, patterns and addresses stumble over. */
export const worstParts: readonly string[] = [
  ...[
    '/',
    '{{',
    '{{}}',
    ' ',
    '?utm_a=1&',
    '%',
    '[',
    'e\u0301',
    '\ud83d',
    '😀',
    '"',
    '\\',
    '-',
    '.',
    '@',
    ',',
    '0',
    'a',
  ],
];

export const runOf = (part: string, length = MEGABYTE): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

type Json = Readonly<Record<string, unknown>>;
export interface Field {
  readonly path: readonly (string | number)[];
  readonly most: number;
}

/** Every text of the example, and every text that the schema knows beside it. */
export function textFields(schema: Schema, example: unknown, path: Field['path'] = []): Field[] {
  const members = schema.anyOf ?? [schema];
  return members.flatMap((member) => {
    if (member.enum !== undefined || member.const !== undefined) return [];
    if ([member.type].flat().includes('string')) return [{ path, most: member.maxLength ?? 255 }];
    if (member.items !== undefined) {
      const [first] = Array.isArray(example) ? example : [];
      return textFields(member.items, first, [...path, 0]);
    }
    return Object.entries(member.properties ?? {}).flatMap(([name, each]) =>
      textFields(each, (example as Json | undefined)?.[name], [...path, name]),
    );
  });
}

export function withValue(value: unknown, [key, ...rest]: Field['path'], given: unknown): unknown {
  if (key === undefined) return given;
  if (typeof key === 'number') {
    const list = Array.isArray(value) ? [...value] : [];
    return Object.assign(list, { [key]: withValue(list[key], rest, given) });
  }
  const object = typeof value === 'object' && value !== null ? (value as Json) : {};
  return { ...object, [key]: withValue(object[key], rest, given) };
}

const deep = (open: string, close: string, levels: number): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;
const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, n) => `"k${n}":"${n}"`).join(',')}}`;

/** JSON that no schema wants, up to what is read of a body and far beyond. */
export const worstBodies: readonly string[] = [
  deep('[', ']', 30_000),
  deep('{"a":', '}', 10_000),
  deep('[', ']', MEGABYTE / 2),
  '['.repeat(60_000),
  keys(5_000),
  keys(100_000),
  `[${'0,'.repeat(30_000)}0]`,
  `"${runOf('\\u0000', 60_000)}"`,
  `{"__proto__":${deep('[', ']', 20_000)}}`,
  runOf(' '),
];

export const headerNames: readonly string[] = [
  ...['user-agent', 'accept', 'accept-language', 'accept-encoding', 'cookie', 'forwarded', 'x-forwarded-for'],
  ...['x-forwarded-host', 'if-none-match', 'authorization', 'x-app-id', 'origin', 'referer', 'traceparent'],
  ...['idempotency-key', 'sec-ch-ua', 'sec-ch-ua-platform', 'content-type', 'x-csrf-token', 'sec-fetch-site'],
];

const form = (parts: readonly string[], boundary = 'x'): Pick<InjectOptions, 'headers' | 'payload'> => ({
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  payload: `${parts.map((part) => `--${boundary}\r\n${part}`).join('\r\n')}\r\n--${boundary}--\r\n`,
});
const fieldOf = (name: string, value: string): string =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

export const worstForms: readonly Pick<InjectOptions, 'headers' | 'payload'>[] = [
  // More come in further pieces of 64 KB, between which others have their turn.
  form(Array.from({ length: 1_000 }, (_, n) => fieldOf(`f${n}`, ''))),
  form([fieldOf('translations', deep('[', ']', 8_000))]),
  form([fieldOf('url', `https://news.example.com/${runOf('/', 16_000)}`)]),
  form([fieldOf('action_buttons', `[${'{},'.repeat(5_000)}{}]`)]),
  form([fieldOf(runOf('action_buttons[0]', 60_000), 'x')]),
  form([`${Array.from({ length: 5_000 }, (_, n) => `X-H${n}: y\r\n`).join('')}\r\nx`]),
  form([fieldOf('title', runOf('\r\n--', 200_000))], runOf('-', 70)),
  form([`Content-Disposition: form-data; ${runOf('name="a"; ', 16_000)}\r\n\r\nx`]),
  { headers: { 'content-type': `multipart/form-data; boundary=${runOf('x', 12_000)}` }, payload: runOf('-') },
  { headers: { 'content-type': 'multipart/form-data; boundary=x' }, payload: runOf('\r\n') },
];

/** Names of what a query may have. */
export const queryNames = ({ query }: ListedRoute): readonly string[] => [
  ...Object.keys(query?.properties ?? {}),
  'tag[x]',
];
