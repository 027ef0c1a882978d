import fc from 'fast-check';
import { checkManifest } from '../../../api/cli/backup/check-manifest.ts';
import { type FuzzTarget, within } from '../target.ts';

/** A command reads it, and not a server: what it may take is a moment. */
const MOST_MS = 250;

const paths = fc.oneof(
  fc.constantFrom(
    ...['postgres/apps.copy.zst', 'clickhouse/events.0.native.zst', 'keys/master.key', '../outside.key'],
    ...[
      '/etc/passwd',
      'postgres/../../x',
      'postgres\\apps.copy.zst',
      'C:\\x',
      'postgres/apps.copy.zst\0',
      './x',
      '',
    ],
    ...[
      'keys/../../master.key',
      'postgres//apps.copy.zst',
      'postgres/APPS.copy.zst',
      '~/x',
      'file:///etc/passwd',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const names = fc.oneof(
  fc.constantFrom(
    'apps',
    'users',
    '../x',
    'a"; DROP TABLE apps; --',
    '__proto__',
    'constructor',
    '',
    'x'.repeat(300),
  ),
  fc.string({ maxLength: 20 }),
);
const numbers = fc.oneof(fc.nat(), fc.constantFrom(-1, 0.5, 1e308, 2 ** 53, NaN));
const sha256 = fc.oneof(fc.constant('0'.repeat(64)), fc.string({ maxLength: 70 }));
const file = fc.record({ path: paths, bytes: numbers, sha256 });
const columns = fc.array(names, { maxLength: 3 });

/** A manifest that is nearly one, each of its places sometimes anything. */
const manifests = fc.record({
  format: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.anything() }),
  broadside: fc.constant('0.3.0'),
  taken_at: fc.constant('2026-01-01T00:00:00Z'),
  postgres: fc.record({
    server: fc.constant('18'),
    migrations: fc.array(names, { maxLength: 3 }),
    sequences: fc.array(fc.record({ name: names, value: numbers }), { maxLength: 2 }),
    tables: fc.array(fc.record({ name: names, columns, rows: numbers, file }), { maxLength: 3 }),
  }),
  clickhouse: fc.record({
    server: fc.constant('26'),
    migrations: fc.array(names, { maxLength: 2 }),
    tables: fc.array(
      fc.record({ name: names, columns, rows: numbers, files: fc.array(file, { maxLength: 3 }) }),
      {
        maxLength: 2,
      },
    ),
  }),
  keys: fc.oneof(fc.array(file, { maxLength: 2 }), fc.anything()),
});

const texts = fc.oneof(
  { weight: 8, arbitrary: manifests.map((manifest) => JSON.stringify(manifest, plain)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('['.repeat(100_000), '{"a":'.repeat(50_000), `{"${'x'.repeat(100_000)}":1}`),
  },
);
const plain = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const known =
  /^(?:postgres\/[a-z_][a-z0-9_]*\.copy\.zst|clickhouse\/[a-z_][a-z0-9_]*\.\d+\.native\.zst|keys\/master\.keys?(?:-old)?)$/;

/** Every text of the manifest that stands at `path`. */
function pathsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'path' && typeof child === 'string' ? [child] : pathsIn(child),
  );
}

export const manifestsTarget: FuzzTarget = {
  name: 'manifests',
  holds: 'a backup’s manifest is refused, or names nothing but our own files',
  property: fc.property(texts, (text) => {
    const checked = within(MOST_MS, () => checkManifest(text));
    if (checked.kind === 'wrong') return;
    const strange = pathsIn(checked.manifest).filter((path) => !known.test(path));
    if (strange.length > 0) throw new Error(`it leads to ${JSON.stringify(strange[0])}`);
  }),
};
