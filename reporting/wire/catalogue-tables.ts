import { sqlNameOf } from './functions.ts';
import { defaultSettings, settingNames, shownSetting } from './settings.ts';
import { TABLE, tableColumns } from './table.ts';
import { oids, type SqlType, sizeOf, TABLE_OID, type Value } from './values.ts';

export type CatalogueRow = Readonly<Record<string, Value>>;

/** Object ids of what there is; the catalogue's own are those of Postgres. */
const PUBLIC = 2_200;
const CATALOGUE = 11;
const OWNER = 10;

const namespaces: readonly CatalogueRow[] = [
  { oid: CATALOGUE, nspname: 'pg_catalog', nspowner: OWNER, nspacl: null },
  { oid: PUBLIC, nspname: 'public', nspowner: OWNER, nspacl: null },
];

const typeCategory: Readonly<Partial<Record<SqlType, string>>> = {
  bool: 'B',
  text: 'S',
  varchar: 'S',
  name: 'S',
  date: 'D',
  timestamp: 'D',
  timestamptz: 'D',
  interval: 'T',
};
const types: readonly CatalogueRow[] = Object.entries(oids).map(([name, oid]) => ({
  ...{
    oid,
    typname: name,
    typnamespace: CATALOGUE,
    typlen: sizeOf[name as SqlType],
    typtype: 'b',
    typelem: 0,
  },
  ...{
    typrelid: 0,
    typbasetype: 0,
    typtypmod: -1,
    typnotnull: false,
    typarray: 0,
    typdelim: ',',
    typisdefined: true,
  },
  ...{
    typcategory: typeCategory[name as SqlType] ?? 'N',
    typinput: `${name}in`,
    typreceive: `${name}recv`,
    typowner: OWNER,
  },
}));

const attributes: readonly CatalogueRow[] = tableColumns.map(({ name, type, description }, index) => ({
  ...{
    attrelid: TABLE_OID,
    attname: name,
    atttypid: oids[type],
    attnum: index + 1,
    atttypmod: -1,
    attnotnull: true,
  },
  ...{
    atthasdef: false,
    attisdropped: false,
    attidentity: '',
    attgenerated: '',
    attcollation: 0,
    attndims: 0,
  },
  ...{
    attlen: sizeOf[type],
    attstattarget: -1,
    attstorage: 'p',
    attcompression: '',
    atthasmissing: false,
    attinhcount: 0,
    attislocal: true,
    description,
  },
}));

const table: CatalogueRow = {
  ...{
    oid: TABLE_OID,
    relname: TABLE,
    relnamespace: PUBLIC,
    relkind: 'r',
    relowner: OWNER,
    reltuples: -1,
    relpages: 0,
  },
  ...{
    relhasindex: false,
    relhasrules: false,
    relhastriggers: false,
    relrowsecurity: false,
    relforcerowsecurity: false,
  },
  ...{
    relispartition: false,
    relispopulated: true,
    relpersistence: 'p',
    relreplident: 'd',
    reloftype: 0,
    reltablespace: 0,
  },
  ...{
    relam: 2,
    relchecks: 0,
    reltoastrelid: 0,
    relnatts: tableColumns.length,
    relhasoids: false,
    reloptions: null,
    relacl: '{reports=r/reports}',
  },
  ...{
    reltype: 0,
    relhassubclass: false,
    relpartbound: null,
    relisshared: false,
    relfilenode: 0,
    relallvisible: 0,
  },
};

const descriptions: readonly CatalogueRow[] = attributes.map(({ attnum = null, description = null }) => ({
  ...{ objoid: TABLE_OID, classoid: 'pg_class', objsubid: attnum, description },
}));

const informationTable = { table_catalog: 'broadside', table_schema: 'public', table_name: TABLE } as const;
const informationColumns: readonly CatalogueRow[] = tableColumns.map(({ name, type }, index) => ({
  ...informationTable,
  ...{ column_name: name, ordinal_position: index + 1, column_default: null, is_nullable: 'NO' },
  ...{
    data_type: sqlNameOf(oids[type]),
    udt_catalog: 'broadside',
    udt_schema: 'pg_catalog',
    udt_name: type,
  },
  ...{
    character_maximum_length: null,
    numeric_precision: type === 'int8' ? 64 : null,
    numeric_scale: type === 'int8' ? 0 : null,
  },
  ...{
    datetime_precision: type === 'date' ? 0 : null,
    is_identity: 'NO',
    is_generated: 'NEVER',
    is_updatable: 'NO',
    identity_generation: null,
  },
}));

/** Relations with rows, by name; `information_schema` before the name of its own. */
const filled: Readonly<Record<string, readonly CatalogueRow[]>> = {
  pg_namespace: namespaces,
  pg_class: [table],
  pg_type: types,
  pg_attribute: attributes,
  pg_description: descriptions,
  pg_database: [
    {
      oid: 16_383,
      datname: 'broadside',
      datdba: OWNER,
      encoding: 6,
      datcollate: 'C',
      datctype: 'C',
      datistemplate: false,
      datallowconn: true,
      datconnlimit: -1,
      datacl: null,
      dattablespace: 1_663,
    },
  ],
  pg_tablespace: [{ oid: 1_663, spcname: 'pg_default', spcowner: OWNER, spcacl: null, spcoptions: null }],
  pg_roles: [
    {
      oid: OWNER,
      rolname: 'reports',
      rolsuper: false,
      rolinherit: true,
      rolcreaterole: false,
      rolcreatedb: false,
      rolcanlogin: true,
      rolreplication: false,
      rolconnlimit: -1,
      rolvaliduntil: null,
      rolbypassrls: false,
    },
  ],
  pg_user: [{ usename: 'reports', usesysid: OWNER, usecreatedb: false, usesuper: false }],
  // Of a session that has set nothing: drivers ask for some of these, and psql completes their names.
  pg_settings: settingNames.map((name) => ({
    name,
    setting: shownSetting(defaultSettings, name),
    context: 'user',
  })),
  pg_am: [{ oid: 2, amname: 'heap', amtype: 't' }],
  pg_tables: [{ schemaname: 'public', tablename: TABLE, tableowner: 'reports' }],
  pg_stat_user_tables: [{ relid: TABLE_OID, schemaname: 'public', relname: TABLE, n_live_tup: 0 }],
  'information_schema.schemata': [
    { catalog_name: 'broadside', schema_name: 'public', schema_owner: 'reports' },
  ],
  'information_schema.tables': [{ ...informationTable, table_type: 'BASE TABLE', is_insertable_into: 'NO' }],
  'information_schema.columns': informationColumns,
  'information_schema.table_privileges': [
    {
      ...informationTable,
      grantor: 'reports',
      grantee: 'reports',
      privilege_type: 'SELECT',
      is_grantable: 'NO',
    },
  ],
};

/** What Postgres has and there is none of here: keys, views, functions, partitions, policies. */
const empty = new Set(
  [
    'attrdef aggregate amop amproc auth_members authid cast collation constraint conversion cursors db_role_setting default_acl depend',
    'enum event_trigger extension available_extensions file_settings foreign_data_wrapper foreign_server foreign_table',
    'index indexes inherits init_privs language largeobject largeobject_metadata locks matviews namespace opclass operator opfamily',
    'partitioned_table policies policy prepared_statements proc publication publication_rel publication_namespace',
    'publication_tables range rewrite rules seclabel sequence sequences shadow shdepend shdescription',
    'stat_activity stat_database stat_all_tables statio_user_tables statistic statistic_ext stats stats_ext subscription',
    'subscription_rel timezone_abbrevs timezone_names transform trigger ts_config ts_dict user_mapping views',
  ].flatMap((names) => names.split(' ').map((name) => `pg_${name}`)),
);
const emptyInformation = new Set(
  'views table_constraints key_column_usage constraint_column_usage referential_constraints routines parameters sequences triggers check_constraints column_privileges role_table_grants element_types domains character_sets'.split(
    ' ',
  ),
);

/** The rows of a relation of the catalogue; null: there is no such relation. Columns that a row has not are null. */
export function catalogueRows(schema: string | undefined, name: string): readonly CatalogueRow[] | null {
  if (schema === 'information_schema')
    return filled[`information_schema.${name}`] ?? (emptyInformation.has(name) ? [] : null);
  if (schema !== undefined && schema !== 'pg_catalog') return null;
  return (Object.hasOwn(filled, name) ? filled[name] : undefined) ?? (empty.has(name) ? [] : null);
}

const columnTypes = new Map<string, SqlType>();
for (const rows of Object.values(filled))
  for (const row of rows)
    for (const [column, value] of Object.entries(row)) {
      const type =
        column === 'oid' || column.endsWith('typid') || column.endsWith('relid')
          ? 'oid'
          : typeof value === 'number'
            ? 'int4'
            : typeof value === 'boolean'
              ? 'bool'
              : 'text';
      if (value !== null) columnTypes.set(column, type);
    }

/** The type of a catalogue's column, whichever relation has it. */
export const catalogueType = (column: string): SqlType | null => columnTypes.get(column) ?? null;
