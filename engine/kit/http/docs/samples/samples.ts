import { isObject, type Json, type JsonObject } from '../named-schemas.ts';
import { curlSample } from './curl.ts';
import { phpSample } from './php.ts';
import { pythonSample } from './python.ts';
import { requestOf, type SampleRequest, type SampleVariables } from './request.ts';
import { typescriptSample } from './typescript.ts';

/** A sample as OpenAPI readers know it: https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

const languages: readonly {
  readonly lang: string;
  readonly label: string;
  readonly write: (request: SampleRequest) => string;
}[] = [
  { lang: 'Shell', label: 'curl', write: curlSample },
  { lang: 'TypeScript', label: 'TypeScript', write: typescriptSample },
  { lang: 'Python', label: 'Python', write: pythonSample },
  { lang: 'PHP', label: 'PHP', write: phpSample },
];

/** Gives every operation its samples, as `x-codeSamples`. @param paths with examples, before schemas are named. */
export function addSamples(paths: JsonObject, schemes: JsonObject, variables: SampleVariables): JsonObject {
  const ofOperation = (path: string, method: string, operation: JsonObject): Json => {
    const request = requestOf(path, method, operation, schemes, variables);
    return languages.map(({ lang, label, write }) => ({ lang, label, source: write(request) }));
  };
  return mapEntries(paths, (path, methods) =>
    mapEntries(methods, (method, operation) =>
      isObject(operation)
        ? { ...operation, 'x-codeSamples': ofOperation(path, method, operation) }
        : operation,
    ),
  );
}

const mapEntries = (object: Json, change: (key: string, value: Json) => Json): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(object) ? object : {}).map(([key, value]) => [key, change(key, value)]),
  );
