const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects lie no deeper in a row. */
const MAX_DEPTH = 4;

/**
 * A record without objects inside: `{"metrics": {"impressions": 5}}` has `impressions`, and `metrics.impressions` where
 * another part of it has that name too.
 */
export function flat(record: object): object {
  if (!Object.values(record).some(isObject)) return record;
  const leaves = leavesOf(record, []);
  const times = new Map<string, number>();
  for (const { path } of leaves) times.set(path.at(-1) ?? '', (times.get(path.at(-1) ?? '') ?? 0) + 1);
  return Object.fromEntries(
    leaves.map(({ path, value }) => {
      const last = path.at(-1) ?? '';
      return [times.get(last) === 1 ? last : path.join('.'), value];
    }),
  );
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

const leavesOf = (record: object, above: readonly string[]): Leaf[] =>
  Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    const path = [...above, name];
    return isObject(value) && path.length < MAX_DEPTH ? leavesOf(value, path) : [{ path, value }];
  });
