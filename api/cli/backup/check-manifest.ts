import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { keyFiles } from '../../up/data-folder.ts';

/*
 * The folder of a backup:
 *
 *     manifest.json          says what the rest is; written last, so that a folder without it is none
 *     manifest.sha256        of manifest.json
 *     postgres/TABLE.copy.zst
 *     clickhouse/TABLE.N.native.zst
 *     keys/                  the master keys of the data folder
 *
 * A folder may come from anywhere. So a manifest names no place: each of its paths has to be the one that follows from
 * the table's name and the number, and a table's name is letters, digits and underscores.
 */

const exactly = { additionalProperties: false } as const;
const MOST_TABLES = 1_000;
const MOST_COLUMNS = 1_600;
const MOST_MIGRATIONS = 10_000;
const MOST_PIECES = 1_000_000;
const MOST_KEY_BYTES = 1024 ** 2;

const name = Type.String({ pattern: '^[a-z_][a-z0-9_]*$', maxLength: 63 });
const text = Type.String({ maxLength: 256 });
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const migrations = Type.Array(text, { maxItems: MOST_MIGRATIONS });

const fileEntry = Type.Object(
  {
    /** Within the folder. */
    path: text,
    bytes: count,
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 }),
  },
  exactly,
);
const table = { name, columns: Type.Array(name, { maxItems: MOST_COLUMNS }), rows: count };

const manifestSchema = Type.Object(
  {
    format: Type.Literal(1),
    /** Release of the Broadside that wrote it. */
    broadside: text,
    /** By the clock of Postgres. */
    taken_at: text,
    postgres: Type.Object(
      {
        server: text,
        migrations,
        sequences: Type.Array(Type.Object({ name, value: count }, exactly), { maxItems: MOST_TABLES }),
        tables: Type.Array(Type.Object({ ...table, file: fileEntry }, exactly), { maxItems: MOST_TABLES }),
      },
      exactly,
    ),
    clickhouse: Type.Object(
      {
        server: text,
        migrations,
        tables: Type.Array(
          Type.Object({ ...table, files: Type.Array(fileEntry, { maxItems: MOST_PIECES }) }, exactly),
          { maxItems: MOST_TABLES },
        ),
      },
      exactly,
    ),
    keys: Type.Array(fileEntry, { maxItems: keyFiles.length }),
  },
  exactly,
);
const compiled = Compile(manifestSchema);

type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value;
export type Manifest = Frozen<Static<typeof manifestSchema>>;
export type FileEntry = Frozen<Static<typeof fileEntry>>;

export type CheckedManifest =
  | { readonly kind: 'whole'; readonly manifest: Manifest }
  /** In a clause that follows a colon. */
  | { readonly kind: 'wrong'; readonly why: string };

const wrong = (why: string): CheckedManifest => ({ kind: 'wrong', why });

/** Reads a manifest from its text; pure, and never throws, whatever the text is. */
export function checkManifest(source: string): CheckedManifest {
  const found = parsed(source);
  const format = (found as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > 1)
    return wrong(`a newer Broadside wrote it (format ${format}, this one knows 1)`);
  if (!compiled.Check(found)) {
    const [first] = compiled.Errors(found);
    return wrong(`its manifest.json is none of Broadside’s${placeOf(first?.instancePath)}`);
  }
  const twice = twiceOf(found);
  if (twice !== null) return wrong(`its manifest.json names ${twice} twice`);
  const strange = strangeFile(found);
  if (strange !== null) return wrong(`its manifest.json names a file that no backup has (${strange})`);
  return { kind: 'whole', manifest: found };
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
}

/** Names of fields are the writer's choice: a long one is cut. */
const placeOf = (place = ''): string => (place === '' ? '' : ` (see ${JSON.stringify(place.slice(0, 100))})`);

const namesOf = (things: readonly { readonly name: string }[]): string[] => things.map((one) => one.name);

function twiceOf({ postgres, clickhouse, keys }: Manifest): string | null {
  const lists = [
    namesOf(postgres.tables),
    namesOf(postgres.sequences),
    namesOf(clickhouse.tables),
    keys.map(({ path }) => path),
    ...[...postgres.tables, ...clickhouse.tables].map(({ columns }) => columns),
  ];
  for (const list of lists) {
    const seen = new Set<string>();
    for (const one of list) if (seen.size === seen.add(one).size) return JSON.stringify(one);
  }
  return null;
}

export const tableFile = (tableName: string): string => `postgres/${tableName}.copy.zst`;
export const pieceFile = (tableName: string, index: number): string =>
  `clickhouse/${tableName}.${index + 1}.native.zst`;
export const keyFile = (keyName: (typeof keyFiles)[number]): string => `keys/${keyName}`;

function strangeFile({ postgres, clickhouse, keys }: Manifest): string | null {
  const pairs: [string, string | undefined][] = [
    ...postgres.tables.map(({ name: of, file }): [string, string] => [file.path, tableFile(of)]),
    ...clickhouse.tables.flatMap(({ name: of, files }) =>
      files.map(({ path }, index): [string, string] => [path, pieceFile(of, index)]),
    ),
    ...keys.map(({ path, bytes }): [string, string | undefined] => [
      path,
      bytes > MOST_KEY_BYTES ? undefined : keyFiles.map(keyFile).find((known) => known === path),
    ]),
  ];
  const strange = pairs.find(([path, known]) => path !== known);
  return strange === undefined ? null : JSON.stringify(strange[0]);
}
