import { isObject, type Json, type JsonObject } from '../named-schemas.ts';
import type { CodeSample } from '../samples/samples.ts';
import { type Html, html } from './html.ts';
import type { DocsPage, NavigationGroup } from './layout.ts';
import { blockMarkdown, idOf, inlineMarkdown, plain } from './markdown.ts';
import { drawFields, type ListedField, listFields, resolved, typeOf } from './schema.ts';
import type { SearchEntry } from './search.ts';

interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly operation: JsonObject;
}

export interface Reference {
  readonly pages: readonly DocsPage[];
  readonly navigation: NavigationGroup;
  readonly entries: readonly SearchEntry[];
  /** The address of each operation, below `/docs/`. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** A page for each tag of an OpenAPI text, with everything it says about the tag's operations. */
export function drawReference(document: JsonObject): Reference {
  const named =
    isObject(document.components) && isObject(document.components.schemas) ? document.components.schemas : {};
  const operations = operationsOf(document);
  const tags = objectsOf(document.tags).map(({ name, description }) => ({
    name: String(name),
    path: `reference/${idOf(String(name))}`,
    description: String(description ?? ''),
  }));
  return {
    pages: tags.map(({ name, path, description }) => {
      const own = operations.filter(({ tag }) => tag === name);
      return { path, title: name, body: drawTag(name, description, own, named) };
    }),
    addresses: new Map(operations.map(({ id, tag }) => [id, `reference/${idOf(tag)}#${id}`])),
    navigation: { title: 'Reference', pages: tags.map(({ name, path }) => ({ path, title: name })) },
    entries: tags.flatMap(({ name, path }) => {
      const own = operations.filter(({ tag }) => tag === name);
      return [
        ...own.map(({ id, summary, method, path: route, operation }) => ({
          path: `${path}#${id}`,
          title: summary,
          place: `${name} · ${method} ${route}`,
          text: `${method} ${route} ${plain(String(operation.description ?? ''))} ${id}`,
        })),
        ...fieldEntries(name, path, own, named),
      ];
    }),
  };
}

/** Each name once a page: where it is sent, before where it is answered. */
function fieldEntries(
  tag: string,
  path: string,
  operations: readonly Operation[],
  named: JsonObject,
): SearchEntry[] {
  const places = operations.map((operation) => fieldsOf(operation, named));
  const inOrder = [...places.flatMap(({ sent }) => sent), ...places.flatMap(({ answered }) => answered)];
  return [...Map.groupBy(inOrder, ({ name }) => name)].flatMap(([name, [first]]) =>
    first === undefined
      ? []
      : [
          {
            path: `${path}#${first.anchor}`,
            title: name,
            place: `${tag} · a field: ${first.of}`,
            text: plain(first.description),
            isField: true,
          },
        ],
  );
}

type FieldOf = ListedField & { readonly of: string };

function fieldsOf(
  { id, summary, operation }: Operation,
  named: JsonObject,
): { readonly sent: FieldOf[]; readonly answered: FieldOf[] } {
  const of = (fields: ListedField[]): FieldOf[] => fields.map((field) => ({ ...field, of: summary }));
  const parameters = parametersByPlace(objectsOf(operation.parameters), named).flatMap(({ place, schema }) =>
    listFields(schema, named, `${id}-${place}`),
  );
  const body = listFields(bodySchemaOf(operation.requestBody), named, `${id}-body`);
  const answers = Object.entries(isObject(operation.responses) ? operation.responses : {})
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, answer]) =>
      isObject(answer) ? listFields(schemaOf(answer), named, `${id}-${status}`) : [],
    );
  return { sent: of([...body, ...parameters]), answered: of(answers) };
}

function operationsOf({ paths }: JsonObject): Operation[] {
  return Object.entries(isObject(paths) ? paths : {}).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, operation]) =>
      isObject(operation)
        ? [
            {
              id: String(operation.operationId),
              tag: String([operation.tags].flat()[0]),
              method: method.toUpperCase(),
              path,
              summary: String(operation.summary),
              operation,
            },
          ]
        : [],
    ),
  );
}

const drawTag = (name: string, description: string, own: readonly Operation[], named: JsonObject): Html =>
  html`<h1>${name}</h1>
<p class="lead">${inlineMarkdown(description)}</p>
<ul class="operations">${own.map(
    ({ id, summary, method, path }) =>
      html`<li><a href="#${id}">${summary}</a> <code>${method} ${path}</code></li>`,
  )}</ul>
${own.map((operation) => drawOperation(operation, named))}`;

const drawOperation = ({ id, summary, method, path, operation }: Operation, named: JsonObject): Html =>
  html`<section class="operation">
<h2 id="${id}">${summary}</h2>
<p class="route"><code><b>${method}</b> ${path}</code></p>
<div class="columns">
<div>
${typeof operation.description === 'string' && blockMarkdown(operation.description)}
${drawParameters(id, objectsOf(operation.parameters), named)}
${drawBody(id, operation.requestBody, named)}
${drawAnswers(id, operation.responses, named)}
</div>
<div class="beside">
${drawSamples(id, summary, operation['x-codeSamples'])}
${drawExample(operation.responses)}
</div>
</div>
</section>`;

const places: Readonly<Record<string, string>> = {
  path: 'In the path',
  query: 'In the query',
  header: 'Headers',
};

function drawParameters(id: string, parameters: readonly JsonObject[], named: JsonObject): Html {
  return html`${parametersByPlace(parameters, named).map(
    ({ place, schema }) =>
      html`<h3>${places[place] ?? place}</h3>${drawFields(schema, named, `${id}-${place}`)}`,
  )}`;
}

/** The parameters of each place as one schema. */
function parametersByPlace(
  parameters: readonly JsonObject[],
  named: JsonObject,
): { readonly place: string; readonly schema: JsonObject }[] {
  return Object.keys(places).flatMap((place) => {
    const own = parameters.filter((each) => each.in === place);
    if (own.length === 0) return [];
    const properties = Object.fromEntries(
      own.map((each) => [
        String(each.name),
        { ...resolved(each.schema, named), description: each.description ?? '' },
      ]),
    );
    const required = own.filter((each) => each.required === true).map((each) => String(each.name));
    return [{ place, schema: { properties, required } }];
  });
}

function bodySchemaOf(body: Json | undefined): Json | undefined {
  const media = isObject(body) && isObject(body.content) ? body.content['application/json'] : undefined;
  return isObject(media) ? media.schema : undefined;
}

function drawBody(id: string, body: Json | undefined, named: JsonObject): Html {
  const schema = bodySchemaOf(body);
  return schema === undefined ? html`` : html`<h3>Body</h3>${drawFields(schema, named, `${id}-body`)}`;
}

function drawAnswers(id: string, responses: Json | undefined, named: JsonObject): Html {
  const answers = Object.entries(isObject(responses) ? responses : {});
  return html`<h3>Answers</h3>
<ul class="answers">${answers.map(([status, answer]) => {
    if (!isObject(answer)) return null;
    const schema = schemaOf(answer);
    const isGood = status.startsWith('2');
    const fields = isGood && schema !== undefined ? drawFields(schema, named, `${id}-${status}`) : html``;
    return html`<li><code class="${isGood ? 'good' : 'bad'}">${status}</code> ${inlineMarkdown(
      String(answer.description ?? ''),
    )}${
      fields.text !== '' &&
      html`<details><summary>Fields of the answer (${typeOf(schema, named)})</summary>${fields}</details>`
    }</li>`;
  })}</ul>`;
}

function drawSamples(id: string, summary: string, samples: Json | undefined): Html {
  const given = objectsOf(samples) as unknown as readonly CodeSample[];
  if (given.length === 0) return html``;
  return html`<fieldset class="samples">
<legend>Sample: ${summary}</legend>
${given.map(
  ({ lang, label }, at) =>
    html`<label><input type="radio" name="language-${id}" value="${lang}"${at === 0 && html` checked`}> ${label}</label>`,
)}
${given.map(({ lang, source }) => html`<pre data-language="${lang}"><code>${source}</code></pre>`)}
</fieldset>`;
}

/** Of the answer that a caller hopes for. */
function drawExample(responses: Json | undefined): Html {
  const found = Object.entries(isObject(responses) ? responses : {}).find(([status]) =>
    status.startsWith('2'),
  );
  const [status, answer] = found ?? [];
  const example = isObject(answer) ? mediaOf(answer)?.example : undefined;
  if (example === undefined) return html``;
  return html`<p class="caption">Answer ${status ?? ''}</p><pre><code>${JSON.stringify(example, null, 2)}</code></pre>`;
}

const mediaOf = ({ content }: JsonObject): JsonObject | undefined =>
  isObject(content) && isObject(content['application/json']) ? content['application/json'] : undefined;
const schemaOf = (answer: JsonObject): Json | undefined => mediaOf(answer)?.schema;
const objectsOf = (list: Json | undefined): JsonObject[] => [list ?? []].flat().filter(isObject);
