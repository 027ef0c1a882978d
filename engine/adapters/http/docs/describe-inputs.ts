import { isObject, type Json, type JsonObject } from './named-schemas.ts';

/** What the framework cannot say of parameters and forms: how an object stands in a query, and what is a file. */
export function describeInputs(paths: JsonObject): JsonObject {
  return mapValues(paths, (path) => mapValues(path, describeOperation));
}

function describeOperation(operation: JsonObject): JsonObject {
  const { parameters, requestBody } = operation;
  return {
    ...operation,
    ...(Array.isArray(parameters) ? { parameters: parameters.map(describeParameter) } : {}),
    ...(isObject(requestBody) ? { requestBody: describeForm(requestBody) } : {}),
  };
}

/** `tag[plan]=premium`, as the validation folds it. */
function describeParameter(parameter: Json): Json {
  if (!isObject(parameter) || !isObject(parameter.schema)) return parameter;
  const written = parameter.in === 'query' && parameter.schema.type === 'object';
  return written ? { ...parameter, style: 'deepObject', explode: true } : parameter;
}

const FORM = 'multipart/form-data';
const file: JsonObject = {
  type: 'string',
  contentMediaType: 'application/octet-stream',
  description: 'A file, PNG or JPG, at most 2 MB; or its URL.',
};

/** A form has the fields of the JSON body; its image may be a file. */
function describeForm(body: JsonObject): JsonObject {
  const { content } = body;
  if (!isObject(content) || !isObject(content[FORM]) || !isObject(content[FORM].schema)) return body;
  const { schema } = content[FORM];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const form = {
    ...content[FORM],
    schema: { ...schema, title: `${schema.title}Form`, properties: { ...properties, image_url: file } },
    encoding: { image_url: { contentType: 'image/png, image/jpeg' } },
  };
  return { ...body, content: { ...content, [FORM]: form } };
}

const mapValues = (object: Json, map: (value: JsonObject) => JsonObject): JsonObject =>
  isObject(object)
    ? Object.fromEntries(
        Object.entries(object).map(([key, value]) => [key, isObject(value) ? map(value) : value]),
      )
    : {};
