import { likelyName, misspeltOf } from '../../contract/likely-name.ts';
import type { FieldErrors } from './problem.ts';

/** The parts of JSON Schema that name fields. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

type Json = Readonly<Record<string, unknown>>;

export interface UnknownOptions {
  /** What a field is called here: of a body, or of an address. */
  readonly noun: 'field' | 'parameter';
  /** Names of the first level that are read and mean nothing here. */
  readonly passedOver?: ReadonlySet<string>;
  /** Names that resemble none of the schema's belong to a later client: ignored. */
  readonly onlyMisspelt?: boolean;
}

/** As many as are named at a time: each is compared with every name of its place. */
export const MOST_NAMED = 8;
/** Further ones are ignored where a later client’s are: no client of ours has as many new fields. */
const MOST_COMPARED = 16;
const MOST_CHARACTERS = 100;

/**
 * A field that a request has and its schema does not name: ignored, it would mean something else than its author
 * does. Where a union takes one of several objects, the one that the value's own constants choose decides.
 */
export function unknownFields(schema: object, value: unknown, options: UnknownOptions): FieldErrors {
  const found = new Map<string, string>();
  let compared = 0;
  visit([schema], value, '');
  return Object.fromEntries([...found].map(([path, words]) => [path, [words]]));

  function visit(given: readonly Schema[], at: unknown, path: string): void {
    const schemas = given.flatMap(membersOf);
    if (Array.isArray(at)) {
      const items = schemas.flatMap((each) => each.items ?? []);
      // A list where no schema has one is refused for that.
      if (items.length === 0) return;
      for (const [index, item] of at.entries()) visit(items, item, join(path, String(index)));
    } else if (typeof at === 'object' && at !== null)
      visitFields(schemas.filter(isOfObject), at as Json, path);
  }

  function visitFields(schemas: readonly Schema[], at: Json, path: string): void {
    const fitting = schemas.filter((schema) => schemas.length === 1 || isChosen(schema, at));
    // None where a constant is misspelt: the value is refused for that, and its fields belong to any of them.
    const chosen = fitting.length === 0 ? schemas : fitting;
    const onlyMisspelt = fitting.length === 0 || options.onlyMisspelt === true;
    const free = chosen.flatMap(({ patternProperties = {} }) => Object.values(patternProperties));
    for (const [key, child] of chosen.length === 0 ? [] : Object.entries(at)) {
      const own = chosen.flatMap((each) => propertyOf(each, key) ?? []);
      if (own.length > 0) visit(own, child, join(path, key));
      else if (chosen.some(isFree)) visit(free, child, join(path, key));
      else if (!isPassedOver(key, child, path, schemas)) note(path, key, namesOf(chosen), onlyMisspelt);
      if (found.size >= MOST_NAMED || compared >= MOST_COMPARED) return;
    }
  }

  /** Clients that fill in every field of a union write null into those of its other members. */
  function isPassedOver(key: string, child: unknown, path: string, schemas: readonly Schema[]): boolean {
    if (path === '' && options.passedOver?.has(key)) return true;
    return child === null && schemas.some((each) => propertyOf(each, key) !== undefined);
  }

  function note(path: string, key: string, names: readonly string[], onlyMisspelt: boolean): void {
    compared++;
    if (onlyMisspelt && misspeltOf(key, names) === null) return;
    const name = join(path, key.slice(0, MOST_CHARACTERS));
    const likely = likelyName(key, names);
    const then =
      likely === null
        ? names.length === 0
          ? `, which takes none.`
          : `: leave it out.`
        : `; did you mean ${join(path, likely)}?`;
    found.set(name, `${name} is not a ${options.noun} of this request${then}`);
  }
}

const membersOf = (schema: Schema): readonly Schema[] => schema.anyOf?.flatMap(membersOf) ?? [schema];

/** A schema that names no type takes an object too. */
const isOfObject = ({ type }: Schema): boolean => type === undefined || [type].flat().includes('object');

/** Any key: a map, or a value that is kept as it is. */
const isFree = ({ properties, additionalProperties = false }: Schema): boolean =>
  properties === undefined || additionalProperties !== false;

const propertyOf = ({ properties = {} }: Schema, key: string): Schema | undefined =>
  Object.hasOwn(properties, key) ? properties[key] : undefined;

const namesOf = (schemas: readonly Schema[]): string[] => [
  ...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties))),
];

/** The constants that a member of a union must have are those of the value. */
function isChosen({ properties = {}, required = [] }: Schema, value: Json): boolean {
  return required.every((name) => {
    const { enum: values, const: only } = properties[name] ?? {};
    if (values === undefined && only === undefined) return true;
    return values?.includes(value[name]) ?? only === value[name];
  });
}

const join = (parent: string, name: string): string => (parent === '' ? name : `${parent}.${name}`);
