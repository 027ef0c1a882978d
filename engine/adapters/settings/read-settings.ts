import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { envSchema } from 'env-schema';
import { databaseContradictions, withDatabaseTls } from '../../contract/settings/postgres-url.ts';
import {
  type Environment,
  explainProblems,
  type SettingProblem,
  type Settings,
  schemaOf,
  settingKeywords,
  settingOf,
  type Values,
  valuesOf,
} from '../../contract/settings/settings.ts';
import { SettingsError } from '../../contract/settings/settings-error.ts';
import { withFiles } from './files.ts';

/** Checks for contradictions, over values that may be wrong or missing: one line per contradiction. */
export type Contradictions<Table extends Settings> = (values: Partial<Values<Table>>) => string[];

/**
 * Environment → one frozen config. A variable set to nothing counts as not set, as in a copied example file;
 * a secret may come from the file that `NAME_FILE` names.
 * @throws SettingsError that lists everything that is wrong, at once.
 */
export function readSettings<Table extends Settings>(
  table: Table,
  environment: Environment,
  contradictions: Contradictions<Table> = () => [],
): Values<Table> {
  const given = Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => !!entry[1]),
  );
  const { data, failed, lines: fileLines } = withFiles(table, given);
  const { values, problems } = check(failed.size === 0 ? table : without(table, failed), data);
  const read = values as Values<Table>;
  const ofDatabase = 'databaseSslMode' in table ? databaseContradictions(read) : [];
  const lines = [...fileLines, ...explainProblems(table, problems), ...ofDatabase, ...contradictions(read)];
  if (lines.length > 0) throw new SettingsError(lines);
  return withTls(read);
}

/** How the connection is encrypted stands in the URL from here on, so that no role and no command can forget it. */
function withTls<Read extends { readonly databaseUrl?: unknown; readonly databaseReadUrls?: unknown }>(
  read: Read,
): Read {
  if (typeof read.databaseUrl !== 'string') return read;
  const tls: Parameters<typeof withDatabaseTls>[1] = read as object;
  const replicas = Array.isArray(read.databaseReadUrls)
    ? { databaseReadUrls: read.databaseReadUrls.map((url: string) => withDatabaseTls(url, tls)) }
    : {};
  return Object.freeze({ ...read, ...replicas, databaseUrl: withDatabaseTls(read.databaseUrl, tls) });
}

/** The environment with these values, whatever it said of them, as a value or as a file. */
export const replaced = (
  environment: Environment,
  values: Readonly<Record<string, string>>,
): Environment => ({
  ...environment,
  ...Object.fromEntries(Object.keys(values).map((env) => [`${env}_FILE`, undefined])),
  ...values,
});

/** `.env` of the working directory beneath the process's own environment, which wins. */
export function withDotEnv(environment: Environment, file = '.env'): Environment {
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...environment };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return environment;
    throw new SettingsError([`${file} cannot be read: ${(error as Error).message}`]);
  }
}

interface Checked {
  /** Of the settings that are right. */
  readonly values: Values<Settings>;
  readonly problems: readonly SettingProblem[];
}

/** Settings that are right are read even where others are wrong, for the contradictions among them. */
function check(table: Settings, data: Record<string, unknown>): Checked {
  try {
    return { values: valuesOf(table, checkedBy(table, data)), problems: [] };
  } catch (error) {
    const { errors: problems } = error as { errors?: SettingProblem[] };
    if (problems === undefined) throw error;
    const right = without(table, new Set(problems.map(settingOf)));
    return { values: valuesOf(right, checkedBy(right, data)), problems };
  }
}

const without = (table: Settings, wrong: ReadonlySet<string>): Settings =>
  Object.fromEntries(Object.entries(table).filter(([, { env }]) => !wrong.has(env)));

function checkedBy(table: Settings, data: Record<string, unknown>): Record<string, unknown> {
  const ajv = checker ?? { customOptions: keepWithOurKeywords };
  return envSchema({ schema: schemaKept(table), data, env: false, dotenv: false, ajv });
}

/** The checker compiles a schema that it has not seen, and knows one by its identity. */
const schemas = new WeakMap<Settings, ReturnType<typeof schemaOf>>();
function schemaKept(table: Settings): ReturnType<typeof schemaOf> {
  const schema = schemas.get(table) ?? schemaOf(table);
  schemas.set(table, schema);
  return schema;
}

type CustomOptions = Extract<NonNullable<Parameters<typeof envSchema>[0]>['ajv'], { customOptions: unknown }>;
/** Kept: to make one takes longer than all its checks. */
let checker: ReturnType<CustomOptions['customOptions']> | null = null;
const keepWithOurKeywords: CustomOptions['customOptions'] = (ajv) => {
  // A table is checked once or twice in a process: to check our own schema, and to optimize the code that is made of
  // it, were two thirds of the time of every start.
  Object.assign(ajv.opts, { validateSchema: false, code: { ...ajv.opts.code, optimize: 0 } });
  checker = ajv.addVocabulary([...settingKeywords]);
  return checker;
};
