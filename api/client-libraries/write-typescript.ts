import type { Operation } from './operations.ts';

/** The package's surface: the generated client, the schemas by name, and what stands in `source/`. */
export const typescriptIndex = `export { Broadside } from './client.ts';
export type * from './schemas.ts';
export type { Query, Session } from './address.ts';
export * from './errors.ts';
export { List, type Page } from './pages.ts';
export { openSession } from './session.ts';
export type { BroadsideOptions, CallOptions, KeyedCallOptions, Retry } from './transport.ts';
`;

/** Each schema of the OpenAPI text as a type of its own name. */
export const typescriptSchemas = (names: readonly string[]): string =>
  [
    "import type { components } from './openapi.ts';",
    ...names.map((name) => `export type ${name} = components['schemas']['${name}'];`),
    '',
  ].join('\n');

const head = `import type { operations } from './openapi.ts';
import type { List } from './pages.ts';
import { type CallOptions, type KeyedCallOptions, Transport } from './transport.ts';

type Parameters<Id extends keyof operations> = operations[Id]['parameters'];
type Query<Id extends keyof operations> = NonNullable<Parameters<Id>['query']>;
type Headers<Id extends keyof operations> = NonNullable<Parameters<Id>['header']>;
type Body<Id extends keyof operations> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Sent } };
}
  ? Sent
  : never;
type Answer<Id extends keyof operations, Status extends number> = operations[Id]['responses'] extends {
  [Key in Status]: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;
type Data<Id extends keyof operations, Status extends number> = Answer<Id, Status> extends {
  data: infer Inner;
}
  ? Inner
  : never;
type Item<Id extends keyof operations> = Data<Id, 200> extends (infer One)[] ? One : never;

/** Every operation of the API, under its name. */
export class Broadside extends Transport {`;

/** The class with a method an operation. */
export const typescriptClient = (operations: readonly Operation[]): string =>
  `${head}\n${operations.map(methodOf).join('\n')}}\n`;

function methodOf(operation: Operation): string {
  const { id, method, path, answer, takesKey } = operation;
  const call = [`operation: '${id}'`, `method: '${method}'`, `path: '${path}'`];
  if (takesKey) call.push('takesKey: true');
  const { parameters, parts } = partsOf(operation);
  const options = takesKey ? 'options?: KeyedCallOptions' : 'options?: CallOptions';
  const result = resultOf(operation);
  const sent = `{ ${call.join(', ')} }, { ${parts.join(', ')} }, options`;
  const send = answer === 'page' ? 'list' : answer === 'data' ? 'sendForData' : 'send';
  return `${commentOf(operation)}
  ${id}(${[...parameters, options].join(', ')}): ${result} {
    return this.${send}(${sent});
  }
`;
}

/** What the caller gives, in order: the path's ids, the body, headers, the query. */
function partsOf({ id, pathNames, body, takesForm, headers, query }: Operation) {
  const parameters: string[] = pathNames.map((name) => `${name}: string | number`);
  const parts: string[] = pathNames.length === 0 ? [] : [`path: { ${pathNames.join(', ')} }`];
  if (body !== null) {
    parameters.push(`body: Body<'${id}'>${takesForm ? ' | FormData' : ''}`);
    parts.push('body');
  }
  if (headers.length > 0) {
    parameters.push(`headers: Headers<'${id}'>`);
    parts.push('headers');
  }
  if (query.length > 0) {
    parameters.push(`query: Query<'${id}'> = {}`);
    parts.push('query');
  }
  return { parameters, parts };
}

function resultOf({ id, answer, status }: Operation): string {
  switch (answer) {
    case 'none':
      return 'Promise<void>';
    case 'whole':
      return `Promise<Answer<'${id}', ${status}>>`;
    case 'data':
      return `Promise<Data<'${id}', ${status}>>`;
    case 'page':
      return `List<Item<'${id}'>>`;
  }
}

function commentOf({ summary, description }: Operation): string {
  const text = description === '' ? `${summary}.` : `${summary}.\n\n${description}`;
  const lines = text.replaceAll('*/', '* /').split('\n');
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n');
}
