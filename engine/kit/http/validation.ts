import type { FastifyInstance, FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { convertText } from './convert-text.ts';
import type { FieldErrors } from './problem.ts';
import { brokenRules, explained, isOfChanges, passedOverOf } from './rules.ts';
import { MOST_NAMED, type UnknownOptions, unknownFields } from './unknown-fields.ts';
import { unstorableText } from './unstorable-text.ts';
import { fieldErrorsOf } from './validation-messages.ts';
import { withinLimits } from './within-limits.ts';

/** Errors reported at a time; the library's own 8 would hide some of a body where everything is wrong. */
const MAX_ERRORS = 100;

/** The error of a route's validation; the error handler answers 422 with it. */
export class InvalidRequest extends Error {
  readonly fieldErrors: FieldErrors;
  /** Fastify calls a handler's errors by this name. */
  readonly validation: FastifySchemaValidationError[] = [];
  /** A path that cannot be right leads nowhere: 404 instead of 422. */
  readonly inPath: boolean;
  constructor(fieldErrors: FieldErrors, inPath: boolean) {
    super('invalid request');
    this.name = 'InvalidRequest';
    this.fieldErrors = fieldErrors;
    this.inPath = inPath;
  }
}

/**
 * Validates with TypeBox. Query and path are text, so they are converted to the schema's types; a body is taken
 * as it is. A `null` in the first level of a body counts as absent, as clients write it; but where the field is
 * a union with null, its schema defines null, and a body of changes (`ofChanges`) keeps it. Lengths come first: what
 * is too long is cut before any rule, pattern or explainer sees it. What the schema of a body or query does not name is
 * refused, at any depth.
 */
export function createValidatorCompiler(
  options: Pick<UnknownOptions, 'onlyMisspelt'> = {},
): FastifySchemaCompiler<TSchema> {
  Settings.Set({ maxErrors: MAX_ERRORS });
  return ({ schema, httpPart }) => {
    const validator = validatorOf(schema);
    const nounOf: Readonly<Record<string, UnknownOptions['noun']>> = {
      body: 'field',
      querystring: 'parameter',
    };
    const noun = nounOf[httpPart ?? ''];
    const passedOver = passedOverOf(schema);
    return (input: unknown) => {
      const value = httpPart === 'body' ? withoutNulls(schema, input) : convertText(schema, input);
      const unknown =
        noun === undefined ? {} : unknownFields(schema, input, { ...options, noun, passedOver });
      // Thousands of names that nobody knows are answered for these, without a check of the rest.
      if (Object.keys(unknown).length >= MOST_NAMED)
        return { error: new InvalidRequest(unknown, httpPart === 'params') };
      const bounded = withinLimits(schema, value);
      const errors = {
        ...unknown,
        ...brokenRules(schema, bounded),
        ...explained(schema, bounded, schemaErrors(validator, bounded)),
        ...unstorableText(value),
        // Where a schema too refuses what it does not name: here are the words that name what was meant.
        ...unknown,
        ...(httpPart === 'querystring' ? bracketed(schema, value) : {}),
      };
      return Object.keys(errors).length === 0
        ? { value: httpPart === 'body' && isOfChanges(schema) ? withNulls(schema, value, input) : value }
        : { error: new InvalidRequest(errors, httpPart === 'params') };
    };
  };
}

const noParameters = { type: 'object', properties: {} } as const;

/** In this scope a documented route that states no parameters takes none: a filter in its address would say nothing. */
export function registerParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { schema } = route;
    if (schema === undefined || schema.hide || schema.querystring !== undefined) return;
    route.schema = { ...schema, querystring: noParameters };
  });
}

/** Routes share schemas, such as those of paths, and so do the APIs of one process. */
const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validator = Compile(schema);
  validators.set(schema, validator);
  return validator;
}

function schemaErrors(validator: Validator, value: unknown): FieldErrors {
  if (validator.Check(value)) return {};
  return fieldErrorsOf(validator.Errors(value) as TLocalizedValidationError[]);
}

/** Nulls are not part of the schema check: every one of them may be cleared in the same way. */
function withNulls(schema: TSchema, value: unknown, body: unknown): unknown {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
  const cleared = Object.entries(body as object).filter(
    ([name, each]) => each === null && Object.hasOwn(properties, name) && !required.includes(name),
  );
  return { ...(value as object), ...Object.fromEntries(cleared) };
}

function withoutNulls(schema: TSchema, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
  const fields = Object.entries(body);
  const kept = fields.filter(([name, value]) => value !== null || meansNull(properties[name]));
  // Thousands of fields take milliseconds to put together again.
  return kept.length === fields.length ? body : Object.fromEntries(kept);
}

function meansNull(field: unknown): boolean {
  const { anyOf = [] } = (field ?? {}) as { readonly anyOf?: readonly { readonly type?: unknown }[] };
  return anyOf.some(({ type }) => type === 'null');
}

/**
 * `status[]=subscribed` and `tag[]=red` are how some clients write lists. Ignored like any unknown
 * parameter, they would answer with everything there is.
 */
function bracketed(schema: TSchema, query: unknown): FieldErrors {
  const { properties = {} } = schema as {
    properties?: Readonly<Record<string, { readonly type?: unknown }>>;
  };
  return Object.fromEntries(
    Object.keys(query ?? {}).flatMap((name): [string, string[]][] => {
      const field = name.split('[')[0] ?? name;
      const known = properties[field];
      if (name === field || known === undefined) return [];
      const words =
        known.type === 'object'
          ? `must name a key, as in ${field}[key]=value`
          : `is not known: write ${field}=… without brackets`;
      return [[name, [`The ${name} field ${words}.`]]];
    }),
  );
}
