import { isObject, type Json, type JsonObject } from '../named-schemas.ts';

/** The environment variables from which a sample takes what differs from reader to reader. */
export interface SampleVariables {
  readonly base: string;
  readonly token: string;
}

/** A header's value: as it stands, or a variable between two texts. */
export interface SampleHeader {
  readonly name: string;
  readonly before: string;
  readonly variable: string | null;
}

/** The request that a sample sends. */
export interface SampleRequest {
  readonly method: string;
  /** With its query; below the base. */
  readonly path: string;
  readonly baseVariable: string;
  readonly headers: readonly SampleHeader[];
  readonly body: Json | undefined;
  /** What the answer is: JSON, events that arrive over time, or nothing. */
  readonly answer: 'json' | 'events' | 'none';
}

const CSRF = { name: 'X-CSRF-Token', before: '', variable: 'BROADSIDE_CSRF_TOKEN' };

/** @param operation before its schemas are named, with examples: of required parameters and of the body. */
export function requestOf(
  path: string,
  method: string,
  operation: JsonObject,
  schemes: JsonObject,
  variables: SampleVariables,
): SampleRequest {
  const parameters = objectsOf(operation.parameters).filter(({ required }) => required === true);
  const content = isObject(operation.requestBody) ? operation.requestBody.content : undefined;
  const json =
    isObject(content) && isObject(content['application/json']) ? content['application/json'] : null;
  const type = json === null ? [] : [{ name: 'Content-Type', before: 'application/json', variable: null }];
  const named = parameters
    .filter((each) => each.in === 'header')
    .map((each) => ({ name: headerName(String(each.name)), before: exampleText(each), variable: null }));
  return {
    method: method.toUpperCase(),
    path: fillIn(path, parameters) + queryOf(parameters),
    baseVariable: variables.base,
    headers: [...credentialsOf(operation, schemes, method, variables), ...named, ...type],
    body: json === null ? undefined : json.example,
    answer: answerOf(operation),
  };
}

function credentialsOf(
  { security }: JsonObject,
  schemes: JsonObject,
  method: string,
  { token }: SampleVariables,
): SampleHeader[] {
  const accepted = objectsOf(security).flatMap((each) => Object.keys(each));
  if (accepted.includes('token')) return [{ name: 'Authorization', before: 'Bearer ', variable: token }];
  const session = accepted.includes('session') ? schemes.session : undefined;
  if (!isObject(session)) return [];
  const cookie = { name: 'Cookie', before: `${session.name}=`, variable: 'BROADSIDE_SESSION' };
  return method === 'get' ? [cookie] : [cookie, CSRF];
}

/** With the examples of its parameters. */
export const filledPath = (path: string, { parameters }: JsonObject): string =>
  fillIn(path, objectsOf(parameters));

const fillIn = (path: string, parameters: readonly JsonObject[]): string =>
  path.replace(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const found = parameters.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(found === undefined ? name : exampleText(found));
  });

function queryOf(parameters: readonly JsonObject[]): string {
  const pairs = parameters
    .filter((each) => each.in === 'query')
    .map((each): [string, string] => [String(each.name), exampleText(each)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function exampleText({ example, schema }: JsonObject): string {
  const value = example ?? (isObject(schema) ? schema.example : undefined) ?? '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function answerOf({ responses }: JsonObject): SampleRequest['answer'] {
  const answers = Object.entries(isObject(responses) ? responses : {});
  const answer = answers.find(([status]) => status.startsWith('2'))?.[1];
  if (!isObject(answer) || !isObject(answer.content)) return 'none';
  return 'text/event-stream' in answer.content ? 'events' : 'json';
}

/** `x-app-id` as people write it: `X-App-Id`. */
const headerName = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

const objectsOf = (list: Json | undefined): JsonObject[] => [list ?? []].flat().filter(isObject);
