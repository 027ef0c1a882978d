import type { TSchema } from 'typebox';
import { convertFormText, itemsOf, propertyOf, takes } from '../../../../engine/kit/http/form-text.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import { isIndex, partsOfName } from './form-names.ts';

/** A field of a form; those of one name come in their order. */
export interface FormText {
  readonly name: string;
  readonly value: unknown;
}

type Kind = 'key' | 'index' | 'next';
interface Group {
  kind: Kind | null;
  readonly children: Map<string, Group | Leaf>;
}
type Leaf = readonly unknown[];

const isGroup = (node: Group | Leaf | undefined): node is Group => node !== undefined && 'children' in node;
const newGroup = (): Group => ({ kind: null, children: new Map() });

/**
 * The body that a form's fields stand for, by the schema of that body. An empty text counts as left out, as `null` does
 * in JSON: a form sends every field that it has.
 */
export function formFields(
  schema: TSchema,
  texts: readonly FormText[],
): { readonly fields: Record<string, unknown>; readonly errors: FieldErrors } {
  const root: Group = { kind: 'key', children: new Map() };
  const wrong = texts.flatMap(({ name, value }): [string, string][] => {
    const parts = partsOfName(name);
    const words = parts === null ? `is not named as forms name fields: ${EXAMPLE}` : put(root, parts, value);
    return words === null ? [] : [[name.slice(0, 100), words]];
  });
  const fields = bodyOf(root, [schema]);
  const errors = Object.fromEntries(wrong.map(([name, words]) => [name, [`The ${name} field ${words}.`]]));
  return { fields: (fields ?? {}) as Record<string, unknown>, errors };
}

const WHOLE_AND_PARTS = 'is given as a whole and in parts';
const EXAMPLE = 'write action_buttons[0][title], or the whole field as JSON';

/** @returns what is wrong with it; null: it has its place. */
function put(group: Group, [part = '', ...rest]: readonly string[], value: unknown): string | null {
  const kind = group.kind === 'key' ? 'key' : part === '' ? 'next' : isIndex(part) ? 'index' : 'key';
  if (part === '' && kind === 'key') return 'has an empty part where others have a name';
  group.kind ??= kind;
  if (group.kind !== kind) return 'is numbered in another way than the fields before it';
  const key = kind === 'next' ? nextKey(group, rest) : part;
  const known = group.children.get(key);
  if (rest.length === 0) {
    if (isGroup(known)) return value === '' ? null : WHOLE_AND_PARTS;
    group.children.set(key, [...(known ?? []), value]);
    return null;
  }
  if (known !== undefined && !isGroup(known) && known.some((text) => text !== '')) return WHOLE_AND_PARTS;
  const child = isGroup(known) ? known : newGroup();
  group.children.set(key, child);
  return put(child, rest, value);
}

/** As Rails reads it: an entry goes on until one of its fields comes again. */
function nextKey({ children }: Group, rest: readonly string[]): string {
  const last = children.get(String(children.size - 1));
  const begins = rest.length === 0 || last === undefined || has(last, rest);
  return String(begins ? children.size : children.size - 1);
}

const has = (node: Group | Leaf | undefined, [part, ...rest]: readonly string[]): boolean =>
  part === undefined ? node !== undefined : isGroup(node) && has(node.children.get(part), rest);

/** Undefined: nothing was filled in. Numbers may be left out: a page removes one of its buttons and sends the others. */
function bodyOf(node: Group | Leaf, schemas: readonly object[]): unknown {
  if (!isGroup(node)) return leafOf(node, schemas);
  const isList = node.kind !== 'key';
  const entries = [...node.children].toSorted(([a], [b]) => (isList ? Number(a) - Number(b) : 0));
  const filled = entries.flatMap(([key, child]): [string, unknown][] => {
    const below = isList ? itemsOf(schemas) : propertyOf(schemas, key);
    const value = bodyOf(child, below);
    return value === undefined ? [] : [[key, value]];
  });
  if (filled.length === 0) return undefined;
  return isList ? filled.map(([, value]) => value) : Object.fromEntries(filled);
}

/**
 * Of a name that comes again the last one counts, as in PHP and Rails: a checkbox has a hidden field before it, for when it
 * is not ticked. Scripts write a list as one name many times.
 */
function leafOf(texts: Leaf, schemas: readonly object[]): unknown {
  const given = texts.filter((text) => text !== '');
  if (given.length > 1 && takes(schemas, 'array'))
    return given.map((text) => convertFormText(itemsOf(schemas), text));
  const last = texts.at(-1);
  return last === '' ? undefined : convertFormText(schemas, last);
}
