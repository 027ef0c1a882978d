// tier: postgres
import type { TLocalizedValidationError } from 'typebox/error';
import { describe, expect, it } from 'vitest';
import { readOpenapiText } from '../../api/serve/openapi-text.ts';
import { fieldErrorsOf } from '../../engine/kit/http/validation-messages.ts';
import { createTestReporting } from '../reporting/support.ts';
import type { Document } from './answers.ts';

/** Of a request: what a document says of its parameters, its headers and its body. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly contentMediaType?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
}

/** As short as their format is. */
const shortFormats: ReadonlySet<string | undefined> = new Set(['date', 'date-time']);

function unbounded(document: Document): string[] {
  const found: string[] = [];
  const visit = (given: Schema, at: string): void => {
    const schema = resolved(document, given);
    const { anyOf = [], properties = {}, patternProperties = {}, additionalProperties, items } = schema;
    const types = [schema.type].flat();
    const isListed = schema.enum !== undefined || schema.const !== undefined;
    const isFile = schema.contentMediaType !== undefined;
    if (schema.pattern !== undefined && !hasWords(schema.pattern))
      found.push(`${at} has a pattern without words in validation-messages.ts`);
    if (types.includes('string') && !isListed && !isFile && !shortFormats.has(schema.format))
      if (schema.maxLength === undefined) found.push(`${at} is a string without maxLength`);
    if (types.includes('array') && schema.maxItems === undefined)
      found.push(`${at} is a list without maxItems`);
    const free = [
      ...Object.values(patternProperties),
      ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ];
    if ((free.length > 0 || additionalProperties === true) && schema.maxProperties === undefined)
      found.push(`${at} has free keys without maxProperties`);
    if (free.length > 0 && schema.propertyNames?.maxLength === undefined)
      found.push(`${at} has free keys without propertyNames.maxLength`);
    for (const each of [...anyOf, ...free]) visit(each, at);
    for (const [name, each] of Object.entries(properties)) visit(each, `${at}.${name}`);
    if (items !== undefined) visit(items, `${at}[]`);
  };
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      const name = `${method} ${path}`;
      for (const each of parameters) visit(each.schema ?? {}, `${name} ${each.in} ${each.name}`);
      for (const { schema } of Object.values(requestBody?.content ?? {})) visit(schema, `${name} body`);
    }
  return found;
}

/** People who send another text read what it must be, and no regular expression. */
function hasWords(pattern: string): boolean {
  const raw = `must match pattern "${pattern}"`;
  const error = {
    keyword: 'pattern',
    params: { pattern },
    instancePath: '/text',
    schemaPath: '',
    message: raw,
  };
  return (
    fieldErrorsOf([error as TLocalizedValidationError])
      .text?.join()
      .includes(raw) === false
  );
}

function resolved(document: object, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const path = schema.$ref.slice(2).split('/');
  return path.reduce(
    (value: object, key) => (value as Record<string, object>)[key] ?? {},
    document,
  ) as Schema;
}

const documentOf = (schema: Schema): Document =>
  ({
    paths: { '/seed': { post: { requestBody: { content: { json: { schema } } }, responses: {} } } },
  }) as unknown as Document;

describe('the documents', () => {
  it('of the API bound every text, list and object of a request, and have words for its patterns', async () => {
    expect(unbounded((await readOpenapiText()) as Document)).toEqual([]);
  });

  it('of reporting bound every text, list and object of a request, and have words for its patterns', async () => {
    const reporting = await createTestReporting();
    const document = (await reporting.app.inject('/api/v1/openapi.json')).json() as Document;
    await reporting.close();
    expect(Object.keys(document.paths)).toHaveLength(21);
    expect(unbounded(document)).toEqual([]);
  });

  it.each<[Schema, string]>([
    [
      { type: 'string', maxLength: 9, pattern: '^other$' },
      'post /seed body has a pattern without words in validation-messages.ts',
    ],
    [{ type: 'string' }, 'post /seed body is a string without maxLength'],
    [{ type: ['string', 'null'] }, 'post /seed body is a string without maxLength'],
    [
      { properties: { a: { anyOf: [{ type: 'string' }] } } },
      'post /seed body.a is a string without maxLength',
    ],
    [{ type: 'array', items: { type: 'integer' } }, 'post /seed body is a list without maxItems'],
    [{ type: 'object', additionalProperties: true }, 'post /seed body has free keys without maxProperties'],
    [
      { type: 'object', patternProperties: { '.*': { type: 'integer' } }, maxProperties: 3 },
      'post /seed body has free keys without propertyNames.maxLength',
    ],
  ])('would be seen without a bound, or words: %j', (schema, words) => {
    expect(unbounded(documentOf(schema))).toEqual([words]);
  });
});
