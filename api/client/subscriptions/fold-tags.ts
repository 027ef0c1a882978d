type Query = Readonly<Record<string, unknown>>;

const tagParameter = /^tag\[(.+)\]$/s;

/**
 * `{'tag[plan]': 'premium'}` → `{tag: {plan: ['premium']}}`: the query parser does not know brackets. Repeated
 * values are all kept. A bare `tag` stays as it is, for the schema to refuse.
 */
export function foldTags(query: Query): Query {
  const tags = new Map<string, unknown[]>();
  const others: [string, unknown][] = [];
  for (const [name, value] of Object.entries(query)) {
    const key = name.endsWith('[]') ? undefined : tagParameter.exec(name)?.[1];
    if (key === undefined) others.push([name, value]);
    else tags.set(key, [value].flat());
  }
  return tags.size === 0 ? query : Object.fromEntries([...others, ['tag', Object.fromEntries(tags)]]);
}
