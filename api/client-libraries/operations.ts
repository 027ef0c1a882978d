/** The operations of the OpenAPI text, as both clients are generated from them. */
export interface Operation {
  /** `createDelivery`: the name of its method. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** In the order of the path. */
  readonly pathNames: readonly string[];
  readonly query: readonly Parameter[];
  /** Without `Idempotency-Key`, which is an option of the call. */
  readonly headers: readonly Parameter[];
  readonly takesKey: boolean;
  /** Null: no body is sent. */
  readonly body: Schema | null;
  readonly takesForm: boolean;
  readonly status: number;
  /** `data` stands in an envelope of its own; `page` is one of a list; `none` has no body. */
  readonly answer: 'none' | 'whole' | 'data' | 'page';
  /** Of a page: of its items. */
  readonly answerSchema: Schema;
}

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** What the OpenAPI text of Broadside uses of JSON Schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface OperationText {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Omit<Parameter, 'required' | 'description'> & {
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
  })[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
export interface OpenapiText {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationText>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const KEY_HEADER = 'idempotency-key';

export const readOperations = ({ paths }: OpenapiText): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, text]) => readOperation(path, method.toUpperCase(), text)),
  );

function readOperation(path: string, method: string, text: OperationText): Operation {
  const placed = (place: string): Parameter[] =>
    (text.parameters ?? [])
      .filter((each) => each.in === place)
      .map(({ name, schema, required = false, description = '' }) => ({
        name,
        schema,
        required,
        description,
      }));
  const headers = placed('header');
  const sent = text.requestBody?.content ?? {};
  return {
    id: text.operationId,
    method,
    path,
    summary: text.summary,
    description: text.description ?? '',
    pathNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: placed('query'),
    headers: headers.filter(({ name }) => name.toLowerCase() !== KEY_HEADER),
    takesKey: headers.some(({ name }) => name.toLowerCase() === KEY_HEADER),
    body: sent['application/json']?.schema ?? null,
    takesForm: 'multipart/form-data' in sent,
    ...readAnswer(text),
  };
}

function readAnswer({
  operationId,
  responses,
}: OperationText): Pick<Operation, 'status' | 'answer' | 'answerSchema'> {
  const [status, content] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  if (status === undefined) throw new Error(`${operationId} has no successful answer`);
  const schema = content?.content?.['application/json']?.schema;
  if (schema === undefined) return { status: Number(status), answer: 'none', answerSchema: {} };
  const { data, ...others } = schema.properties ?? {};
  const names = Object.keys(others).toSorted().join();
  if (data !== undefined && names === '')
    return { status: Number(status), answer: 'data', answerSchema: data };
  if (data?.items !== undefined && names === 'links,meta')
    return { status: Number(status), answer: 'page', answerSchema: data.items };
  return { status: Number(status), answer: 'whole', answerSchema: schema };
}
