import { readFileSync } from 'node:fs';
import { fileVariable, type Settings } from '../../contract/settings/settings.ts';

/** Longer is neither a secret nor a chain of certificates; a path that was mistyped may be of anything. */
const MAX_BYTES = 262_144;

export interface WithFiles {
  readonly data: Readonly<Record<string, string>>;
  /** Variables whose value could not be had: their lines are already here. */
  readonly failed: ReadonlySet<string>;
  readonly lines: readonly string[];
}

/**
 * `NAME_FILE` → `NAME`, for the settings that may come from files. The line break at the end of a file is not part
 * of its value. Paths are not repeated in the lines: somebody may have put the secret itself there.
 */
export function withFiles(table: Settings, given: Readonly<Record<string, string>>): WithFiles {
  const data = { ...given };
  const failed = new Set<string>();
  const lines: string[] = [];
  for (const setting of Object.values(table)) {
    const { env } = setting;
    const variable = fileVariable(setting);
    const path = variable === null ? undefined : given[variable];
    if (path === undefined) continue;
    const read = env in given ? { wrong: `and ${env} are both set: leave one out` } : readValue(path);
    if ('value' in read) data[env] = read.value;
    else {
      failed.add(env);
      lines.push(`${variable} ${read.wrong}`);
    }
  }
  return { data, failed, lines };
}

type Read = { readonly value: string } | { readonly wrong: string };

function readValue(path: string): Read {
  try {
    const value = readFileSync(path, 'utf8');
    if (value.length > MAX_BYTES) return { wrong: `names a file of more than ${MAX_BYTES / 1_024} KB` };
    const trimmed = value.replace(/(?<![\r\n])[\r\n]+$/, '');
    return trimmed === '' ? { wrong: 'names a file that is empty' } : { value: trimmed };
  } catch (error) {
    return {
      wrong: reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? 'names a file that cannot be read',
    };
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'names a file that does not exist',
  EACCES: 'names a file that this process may not read',
  EISDIR: 'names a folder',
};
