import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ListedRoute } from './routes.ts';
import { documentedPath } from './routes.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
type Content = Readonly<Record<string, Media>>;
interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Content;
}
export interface Operation {
  readonly summary?: string;
  readonly operationId?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: object;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-ability'?: string;
}
export interface Document {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export interface Answer {
  readonly statusCode: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

export const operationOf = (document: Document, { url, method }: ListedRoute): Operation | undefined =>
  document.paths[documentedPath(url)]?.[method.toLowerCase()];

export const examplesOf = (media: Media | undefined): readonly unknown[] =>
  media?.example !== undefined
    ? [media.example]
    : Object.values(media?.examples ?? {}).map(({ value }) => value);

/** Reports everything in a real answer that the document lacks: an undocumented status, field, or type. */
export function createAnswerCheck(document: Document) {
  const validate = createValidator(document);
  return function undocumented(route: ListedRoute, answer: Answer): string[] {
    const documented = operationOf(document, route)?.responses[answer.statusCode];
    if (documented === undefined) return [`status ${answer.statusCode} is not documented: ${answer.body}`];
    const headers = Object.keys(documented.headers ?? {}).filter(
      (name) => !(name.toLowerCase() in answer.headers),
    );
    return [
      ...headers.map((name) => `the header ${name} is missing`),
      ...undocumentedBody(documented.content, answer, validate),
    ];
  };
}

function undocumentedBody(content: Content | undefined, answer: Answer, validate: Validate): string[] {
  const media = content?.['application/json'];
  if (media === undefined) {
    return content === undefined && answer.body !== '' ? [`a body is not documented: ${answer.body}`] : [];
  }
  return validate(media.schema, JSON.parse(answer.body));
}

type Validate = (schema: object, value: unknown) => string[];

/** Strict: what a schema does not name may not be there. */
export function createValidator(document: Document): Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', components: strict(document.components) });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(strict(schema)).replaceAll('"#/components', '"document#/components');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** The same schema with objects closed. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const children = Object.fromEntries(Object.entries(schema).map(([key, child]) => [key, strict(child)]));
  const open = 'properties' in schema && !('additionalProperties' in schema) && 'type' in schema;
  return open ? { ...children, additionalProperties: false } : children;
}
