/** Letters and signs that stand for themselves in JSON; every other unit is written as an escape. */
const special = /[^ !#-[\]-~\xa0-\ud7ff]/g;

const quoted = (text: string): string =>
  `"${text.replace(special, (unit) => `\\u${`000${unit.charCodeAt(0).toString(16)}`.slice(-4)}`)}"`;

/**
 * JSON of plain data, without `JSON` and `toJSON`: old libraries put a `toJSON` on arrays and strings, and those of
 * the page would then reach the API as texts. As `JSON.stringify`, it leaves out fields that are undefined.
 */
export function jsonOf(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean' || Number.isFinite(value)) return `${value}`;
  if (typeof value !== 'object' || value === null) return 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const each of value) text += `${text && ','}${jsonOf(each)}`;
    return `[${text}]`;
  }
  // Without a prototype: nothing that the page gave to all objects is of this one.
  const own = { __proto__: null, ...value } as unknown as Record<string, unknown>;
  for (const name in own)
    if (own[name] !== undefined) text += `${text && ','}${quoted(name)}:${jsonOf(own[name])}`;
  return `{${text}}`;
}
