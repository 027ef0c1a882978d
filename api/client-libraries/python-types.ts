import type { OpenapiText, Schema } from './operations.ts';

/** Names that a class of Python cannot have as fields. */
const keywords: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);
const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);
export const pythonName = (name: string): string => {
  const snake = name.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return keywords.has(snake) ? `${snake}_` : snake;
};

/** `types.py`: each schema of the OpenAPI text as a TypedDict of its own name, those within it after it. */
export function pythonTypes({ components }: OpenapiText): string {
  const written: string[] = [];
  for (const [name, schema] of Object.entries(components.schemas)) writeType(name, schema, written);
  return `"""The objects of the API. Generated from its OpenAPI text."""

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

${written.join('\n\n')}
`;
}

function writeType(name: string, schema: Schema, written: string[]): void {
  if (schema.properties === undefined) {
    written.push(`${name} = ${typeOf(schema, name, written)}`);
    return;
  }
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(([field, inner]) => ({
    field,
    type: typeOf(inner, name + titleOf(field), written),
    isRequired: required.has(field),
  }));
  // Python 3.9 has no NotRequired: what may be absent stands in a class of its own.
  const parts = [fields.filter((each) => each.isRequired), fields.filter((each) => !each.isRequired)];
  const [always = [], sometimes = []] = parts;
  if (sometimes.length === 0) return void written.push(dictOf(name, always, true));
  if (always.length === 0) return void written.push(dictOf(name, sometimes, false));
  written.push(dictOf(`_${name}`, always, true));
  // A class cannot have a field named as a keyword is, such as `from`; what it inherits can.
  const byName = sometimes.every(({ field }) => isName(field));
  if (!byName) written.push(dictOf(`_${name}Optional`, sometimes, false));
  const lines = sometimes.map(({ field, type }) => `    ${field}: ${JSON.stringify(type)}`);
  const head = byName
    ? `class ${name}(_${name}, total=False):`
    : `class ${name}(_${name}, _${name}Optional):`;
  written.push([head, ...(byName ? lines : ['    pass'])].join('\n'));
}

const dictOf = (
  name: string,
  fields: readonly { readonly field: string; readonly type: string }[],
  total: boolean,
): string => {
  const lines = fields.map(({ field, type }) => `    ${JSON.stringify(field)}: ${JSON.stringify(type)},`);
  return [`${name} = TypedDict("${name}", {`, ...lines, `}${total ? '' : ', total=False'})`].join('\n');
};

/** @param name of the type that an object within is written as. */
export function typeOf(schema: Schema, name: string, written: string[] | null): string {
  const { $ref, anyOf, items, properties, additionalProperties, type } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (schema.enum !== undefined) return literalOf(schema.enum);
  const kinds = [type ?? []].flat();
  // The alternatives of a text are formats.
  if (anyOf !== undefined && !kinds.includes('string'))
    return unionOf(anyOf.map((each, index) => typeOf(each, `${name}${index + 1}`, written)));
  if (kinds.length > 1)
    return unionOf(kinds.map((kind) => typeOf({ ...schema, type: kind } as Schema, name, written)));
  switch (kinds[0]) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `List[${typeOf(items ?? {}, `${name}Item`, written)}]`;
    case 'object': {
      if (properties === undefined || written === null) {
        const values = typeof additionalProperties === 'object' ? additionalProperties : {};
        return `Dict[str, ${typeOf(values, `${name}Value`, written)}]`;
      }
      writeType(name, { ...schema, type: 'object' }, written);
      return name;
    }
    default:
      return 'Any';
  }
}

function literalOf(values: NonNullable<Schema['enum']>): string {
  const python = { true: 'True', false: 'False' } as Record<string, string>;
  const texts = values.filter((each) => each !== null).map((each) => JSON.stringify(each));
  const literal =
    texts.length === 0 ? [] : [`Literal[${texts.map((each) => python[each] ?? each).join(', ')}]`];
  return unionOf([...literal, ...(values.includes(null) ? ['None'] : [])]);
}

function unionOf(types: readonly string[]): string {
  const others = [...new Set(types.filter((each) => each !== 'None'))];
  const union = others.length === 1 ? (others[0] ?? '') : `Union[${others.join(', ')}]`;
  if (others.length === 0) return 'None';
  return types.includes('None') ? `Optional[${union}]` : union;
}

const titleOf = (field: string): string =>
  field
    .split(/\W|_/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
