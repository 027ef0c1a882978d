import { isObject, type Json, type JsonObject } from './named-schemas.ts';

/**
 * Facts about requests that the framework cannot describe: how an object is written in a query, which field is
 * a file, which headers a page needs, and that a `null` in a body counts as absent.
 */
export function describeInputs(paths: JsonObject): JsonObject {
  return mapValues(paths, (path) => mapValues(path, describeOperation));
}

function describeOperation(operation: JsonObject): JsonObject {
  const { parameters, requestBody, tags } = operation;
  const isPublic = [tags].flat().includes('Public');
  return {
    ...operation,
    ...(Array.isArray(parameters)
      ? { parameters: parameters.map(describeParameter).map(isPublic ? requireHeader : asItIs) }
      : {}),
    ...(isObject(requestBody) ? { requestBody: describeNulls(describeForm(requestBody)) } : {}),
  };
}

/** `tag[plan]=premium`, as the validation folds it. */
function describeParameter(parameter: Json): Json {
  if (!isObject(parameter) || !isObject(parameter.schema)) return parameter;
  const written = parameter.in === 'query' && parameter.schema.type === 'object';
  return written ? { ...parameter, style: 'deepObject', explode: true } : parameter;
}

const asItIs = (parameter: Json): Json => parameter;

/**
 * Optional to the validator alone: without one of them the public tier answers 403 with its own message, where
 * a required header would be a 422 that shows a third-party page what to try next.
 */
const requireHeader = (parameter: Json): Json =>
  isObject(parameter) && parameter.in === 'header' ? { ...parameter, required: true } : parameter;

const JSON_BODY = 'application/json';

/** A form has no null: this is of JSON alone. */
function describeNulls(body: JsonObject): JsonObject {
  const { content } = body;
  if (!isObject(content) || !isObject(content[JSON_BODY]) || !isObject(content[JSON_BODY].schema))
    return body;
  const media = content[JSON_BODY];
  return { ...body, content: { ...content, [JSON_BODY]: { ...media, schema: withNulls(media.schema) } } };
}

/** As the validation takes them: null for any field of the first level that may be left out. */
function withNulls(schema: Json | undefined): Json {
  if (!isObject(schema) || !isObject(schema.properties)) return schema ?? {};
  const required = [schema.required].flat();
  const properties = Object.entries(schema.properties).map(([name, field]) => [
    name,
    required.includes(name) || !isObject(field) ? field : orNull(field),
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function orNull(field: JsonObject): JsonObject {
  const { type, anyOf, enum: allowed, title } = field;
  // Other places refer to the schema of that name, too.
  if (title !== undefined) return { anyOf: [field, { type: 'null' }] };
  if (Array.isArray(anyOf)) {
    const known = anyOf.some((member) => isObject(member) && member.type === 'null');
    return known ? field : { ...field, anyOf: [...anyOf, { type: 'null' }] };
  }
  if (type === undefined || [type].flat().includes('null')) return field;
  return {
    ...field,
    type: [...[type].flat(), 'null'],
    ...(Array.isArray(allowed) ? { enum: [...allowed, null] } : {}),
  };
}

const FORM = 'multipart/form-data';
const file: JsonObject = {
  type: 'string',
  contentMediaType: 'application/octet-stream',
  description: 'A file, PNG or JPG, at most 2 MB; or its URL.',
};

const FILE_FIELDS: readonly string[] = ['image_url', 'icon_url'];

/** A form has the fields of the JSON body; its pictures may be files. */
function describeForm(body: JsonObject): JsonObject {
  const { content } = body;
  if (!isObject(content) || !isObject(content[FORM]) || !isObject(content[FORM].schema)) return body;
  const { schema } = content[FORM];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const given = FILE_FIELDS.filter((field) => field in properties);
  const each = (value: JsonObject): JsonObject => Object.fromEntries(given.map((field) => [field, value]));
  const form = {
    ...content[FORM],
    schema: { ...schema, title: `${schema.title}Form`, properties: { ...properties, ...each(file) } },
    encoding: each({ contentType: 'image/png, image/jpeg' }),
  };
  return { ...body, content: { ...content, [FORM]: form } };
}

const mapValues = (object: Json, map: (value: JsonObject) => JsonObject): JsonObject =>
  isObject(object)
    ? Object.fromEntries(
        Object.entries(object).map(([key, value]) => [key, isObject(value) ? map(value) : value]),
      )
    : {};
