import type { Static, TSchema, TUnsafe } from 'typebox';

/**
 * Settings, the pattern that every role's `config.ts` follows: a table of definitions gives the schema that
 * checks the environment, the type of the frozen config, and the list that people read.
 */
export interface Setting<Schema extends TSchema = TSchema> {
  /** The environment variable. */
  readonly env: string;
  readonly schema: Schema;
}

export type Settings = Readonly<Record<string, Setting>>;

/** The config: the table's names with the values' types. Optional settings may be undefined. */
export type Values<Table extends Settings> = {
  readonly [Name in keyof Table]: Static<Table[Name]['schema']>;
};

/** Written by hand: to load the schema library takes longer than all the rest of a small command. */
const schemaFor = <Value>(schema: object): TUnsafe<Value> => schema as TUnsafe<Value>;

export type Environment = Readonly<Record<string, string | undefined>>;

interface TextOptions {
  readonly default?: string;
  readonly pattern?: string;
  /** The rule for the value in words, where a pattern alone would not explain it. */
  readonly shape?: string;
  /** Never printed, and may come from a file. */
  readonly secret?: boolean;
  /** May come from a file, as secrets may. */
  readonly file?: boolean;
}

export const text = (env: string, description: string, options: TextOptions = {}) => ({
  env,
  schema: schemaFor<string>({ type: 'string', description, minLength: 1, ...options }),
});

/** A text that may be left out: null then. */
export const optionalText = (
  env: string,
  description: string,
  options: Omit<TextOptions, 'default'> = {},
) => ({
  env,
  schema: schemaFor<string | null>({
    type: 'string',
    description,
    minLength: 1,
    optional: true,
    ...options,
  }),
});

export const whole = (
  env: string,
  description: string,
  options: { readonly default: number; readonly minimum: number; readonly maximum: number },
) => ({ env, schema: schemaFor<number>({ type: 'integer', description, ...options }) });

/** A whole number that may be left out: null then. */
export const optionalWhole = (
  env: string,
  description: string,
  options: { readonly minimum: number; readonly maximum: number },
) => ({
  env,
  schema: schemaFor<number | null>({ type: 'integer', description, optional: true, ...options }),
});

/** From 0 to 1. */
export const share = (env: string, description: string, options: { readonly default: number }) => ({
  env,
  schema: schemaFor<number>({ type: 'number', description, ...options, minimum: 0, maximum: 1 }),
});

export const flag = (env: string, description: string) => ({
  env,
  schema: schemaFor<boolean>({ type: 'boolean', description, default: false }),
});

export const choice = <const Values extends readonly string[]>(
  env: string,
  description: string,
  values: Values,
  fallback: Values[number],
) => ({
  env,
  schema: schemaFor<Values[number]>({ type: 'string', enum: values, description, default: fallback }),
});

/** One of these words, or left out: null then. */
export const optionalChoice = <const Values extends readonly string[]>(
  env: string,
  description: string,
  values: Values,
) => ({
  env,
  schema: schemaFor<Values[number] | null>({ type: 'string', enum: values, description, optional: true }),
});

/** Comma-separated in the environment, an array in the config. `separator` is env-schema's keyword. */
export const list = (
  env: string,
  description: string,
  fallback: readonly string[],
  options: { readonly secret?: boolean } = {},
) => ({
  env,
  schema: schemaFor<readonly string[]>({
    type: 'string',
    separator: ',',
    description,
    default: fallback.join(','),
    ...options,
  }),
});

/** The JSON Schema that env-schema checks the environment with. */
export function schemaOf(table: Settings): {
  type: 'object';
  required: string[];
  properties: Record<string, object>;
} {
  const settings = Object.values(table);
  return {
    type: 'object',
    required: settings.filter(isRequired).map(({ env }) => env),
    properties: Object.fromEntries(settings.map(({ env, schema }) => [env, schema])),
  };
}

/** Our annotations in the schemas, which a strict validator must know. */
export const settingKeywords = ['shape', 'secret', 'file', 'optional'] as const;

/** The variable that names a file with the value, as containers get their secrets; null where a setting has none. */
export function fileVariable({ env, schema }: Setting): string | null {
  const { secret, file } = schema as { secret?: boolean; file?: boolean };
  return secret === true || file === true ? `${env}_FILE` : null;
}

/** Every variable that is read for these settings. */
export const variablesOf = (table: Settings): string[] =>
  Object.values(table).flatMap((setting) => {
    const file = fileVariable(setting);
    return file === null ? [setting.env] : [setting.env, file];
  });

/** Renames checked values (`API_PORT`) to the config's names (`apiPort`) and freezes them. */
export function valuesOf<Table extends Settings>(
  table: Table,
  checked: Readonly<Record<string, unknown>>,
): Values<Table> {
  const entries = Object.entries(table).map(([name, { env }]) => [name, checked[env] ?? null]);
  return Object.freeze(Object.fromEntries(entries)) as Values<Table>;
}

export interface SettingProblem {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
}

/** One line per wrong setting: its name, the rule, and its purpose. Values are not repeated. */
export function explainProblems(table: Settings, problems: readonly SettingProblem[]): string[] {
  const lines = problems.map((problem) => {
    const env = settingOf(problem);
    const setting = Object.values(table).find((each) => each.env === env);
    const { description = '', shape } = (setting?.schema ?? {}) as { description?: string; shape?: string };
    return `${env} ${wordsOf(problem, shape)} (${description.replace(/\.$/, '')})`;
  });
  return [...new Set(lines)];
}

/** The variable that a problem is about. */
export const settingOf = ({ params, instancePath }: SettingProblem): string =>
  String(params.missingProperty ?? instancePath.slice(1));

function wordsOf(problem: SettingProblem, shape: string | undefined): string {
  if (problem.keyword === 'required') return 'is missing';
  if (problem.keyword === 'enum')
    return `must be one of ${(problem.params.allowedValues as string[]).join(', ')}`;
  if (problem.keyword === 'pattern' && shape !== undefined) return `must be ${shape}`;
  return problem.message ?? 'is wrong';
}

const isRequired = ({ schema }: Setting): boolean => {
  const { default: fallback, optional } = schema as { default?: unknown; optional?: boolean };
  return fallback === undefined && optional !== true;
};

export interface SettingText {
  readonly env: string;
  readonly description: string;
  /** As it would be written in the environment; null where there is none. */
  readonly default: string | null;
  readonly required: boolean;
  /** The variable that may name a file with the value instead. */
  readonly file: string | null;
}

/** The settings in words, for `--help` and the README. */
export function describeSettings(table: Settings): SettingText[] {
  return Object.values(table).map((setting) => {
    const { description = '', default: fallback } = setting.schema as {
      description?: string;
      default?: unknown;
    };
    return {
      env: setting.env,
      description,
      default: fallback === undefined ? null : String(fallback),
      required: isRequired(setting),
      file: fileVariable(setting),
    };
  });
}
