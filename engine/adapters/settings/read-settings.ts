import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { envSchema } from 'env-schema';
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
} from '../../contract/settings.ts';
import { SettingsError } from '../../contract/settings-error.ts';

/** Checks for contradictions, over values that may be wrong or missing: one line per contradiction. */
export type Contradictions<Table extends Settings> = (values: Partial<Values<Table>>) => string[];

/**
 * Environment → one frozen config. A variable set to nothing counts as not set, as in a copied example file.
 * @throws SettingsError that lists everything that is wrong, at once.
 */
export function readSettings<Table extends Settings>(
  table: Table,
  environment: Environment,
  contradictions: Contradictions<Table> = () => [],
): Values<Table> {
  const data = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const { checked, problems } = check(table, data);
  const values = valuesOf(table, checked);
  const lines = [...explainProblems(table, problems), ...contradictions(values)];
  if (lines.length > 0) throw new SettingsError(lines);
  return values;
}

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
  readonly checked: Readonly<Record<string, unknown>>;
  readonly problems: readonly SettingProblem[];
}

/** Settings that are right are read even where others are wrong, for the contradictions among them. */
function check(table: Settings, data: Record<string, unknown>): Checked {
  try {
    return { checked: checkedBy(table, data), problems: [] };
  } catch (error) {
    const { errors: problems } = error as { errors?: SettingProblem[] };
    if (problems === undefined) throw error;
    const wrong = new Set(problems.map(settingOf));
    const right = Object.fromEntries(Object.entries(table).filter(([, { env }]) => !wrong.has(env)));
    return { checked: checkedBy(right, data), problems };
  }
}

function checkedBy(table: Settings, data: Record<string, unknown>): Record<string, unknown> {
  const ajv = checker ?? { customOptions: keepWithOurKeywords };
  return envSchema({ schema: schemaOf(table), data, env: false, dotenv: false, ajv });
}

type CustomOptions = Extract<NonNullable<Parameters<typeof envSchema>[0]>['ajv'], { customOptions: unknown }>;
/** Kept: to make one takes longer than all its checks. */
let checker: ReturnType<CustomOptions['customOptions']> | null = null;
const keepWithOurKeywords: CustomOptions['customOptions'] = (ajv) => {
  checker = ajv.addVocabulary([...settingKeywords]);
  return checker;
};
