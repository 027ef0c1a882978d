// tier: unit
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiSettings, connectionSettings, readUpConfig, upSettings } from '../../../api/settings/config.ts';
import { readSettings, replaced } from '../../../engine/adapters/settings/read-settings.ts';
import { engineSettings, readEngineConfig } from '../../../engine/config.ts';
import {
  fileVariable,
  optionalText,
  type Setting,
  text,
} from '../../../engine/contract/settings/settings.ts';
import type { SettingsError } from '../../../engine/contract/settings/settings-error.ts';
import { readDatabaseConfig } from '../../../engine/kit/command-line/settings.ts';
import { reportingSettings } from '../../../reporting/config.ts';

const table = {
  password: text('DEMO_PASSWORD', 'A password.', { secret: true, pattern: '^[a-z]+$', shape: 'letters' }),
  other: optionalText('DEMO_OTHER', 'Another one.', { secret: true }),
  name: text('DEMO_NAME', 'A name.', { default: 'demo' }),
} as const;

let folder: string;
let files = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broadside-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function file(content: string): Promise<string> {
  const path = join(folder, `file-${++files}`);
  await writeFile(path, content);
  return path;
}

function linesOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(table, environment);
    return [];
  } catch (error) {
    return (error as SettingsError).lines;
  }
}

describe('a secret in a file', () => {
  it('is read without the line break at its end, and obeys the rule of its setting', async () => {
    expect(readSettings(table, { DEMO_PASSWORD_FILE: await file('abc\n') }).password).toBe('abc');
    expect(readSettings(table, { DEMO_PASSWORD_FILE: await file('abcd\r\n') }).password).toBe('abcd');
    expect(linesOf({ DEMO_PASSWORD_FILE: await file('ABC-DEF\n') })).toEqual([
      'DEMO_PASSWORD must be letters (A password)',
    ]);
  });

  it('keeps what is no line break at its end', async () => {
    const path = await file('two\nlines \n\n');
    expect(readSettings(table, { DEMO_PASSWORD: 'x', DEMO_OTHER_FILE: path }).other).toBe('two\nlines ');
  });

  it('contradicts one in the environment', async () => {
    expect(linesOf({ DEMO_PASSWORD: 'abc', DEMO_PASSWORD_FILE: await file('abc') })).toEqual([
      'DEMO_PASSWORD_FILE and DEMO_PASSWORD are both set: leave one out',
    ]);
  });

  it('counts as not set where its variable is empty', () => {
    expect(readSettings(table, { DEMO_PASSWORD: 'abc', DEMO_PASSWORD_FILE: '' }).password).toBe('abc');
  });

  it('that cannot be had is named with all the others, and never with its path, which may be the secret', async () => {
    const lines = linesOf({ DEMO_PASSWORD_FILE: '/the-secret-itself', DEMO_OTHER_FILE: folder });
    expect(lines).toEqual([
      'DEMO_PASSWORD_FILE names a file that does not exist',
      'DEMO_OTHER_FILE names a folder',
    ]);
    expect(linesOf({ DEMO_PASSWORD_FILE: await file('\n\n') })).toEqual([
      'DEMO_PASSWORD_FILE names a file that is empty',
    ]);
    expect(linesOf({ DEMO_PASSWORD_FILE: await file('a'.repeat(300_000)) })).toEqual([
      'DEMO_PASSWORD_FILE names a file of more than 256 KB',
    ]);
  });

  it('that may not be read is named', async () => {
    const path = await file('abc');
    await chmod(path, 0o000);
    const lines = asNobody(() => linesOf({ DEMO_PASSWORD_FILE: path }));
    expect(lines).toEqual(['DEMO_PASSWORD_FILE names a file that this process may not read']);
  });

  it('is no business of a setting that is none', () => {
    expect(readSettings(table, { DEMO_PASSWORD: 'abc', DEMO_NAME_FILE: '/nowhere' }).name).toBe('demo');
  });

  it('is left alone where a value takes the place of both', () => {
    const environment = replaced({ DEMO_PASSWORD_FILE: '/nowhere' }, { DEMO_PASSWORD: 'abc' });
    expect(readSettings(table, environment).password).toBe('abc');
    expect(readDatabaseConfig('postgres://given', { DATABASE_URL_FILE: '/nowhere' }).databaseUrl).toBe(
      'postgres://given',
    );
  });
});

describe('every secret of every role', () => {
  const all: Setting[] = [
    apiSettings,
    engineSettings,
    reportingSettings,
    upSettings,
    connectionSettings,
  ].flatMap((settings) => Object.values(settings) as Setting[]);

  it('may come from a file: all whose name says that they are secret', () => {
    const secret = all.filter(({ env }) =>
      /PASSWORD|SECRET|TOKEN$|KEY$|KEYS_OLD|DATABASE_URL|SMTP_URL/.test(env),
    );
    expect(new Set(secret.map(({ env }) => env)).size).toBeGreaterThan(10);
    for (const setting of secret)
      expect([setting.env, fileVariable(setting)]).toEqual([setting.env, `${setting.env}_FILE`]);
  });

  it('has a name for its file that no other setting has', () => {
    const names = new Set(all.map(({ env }) => env));
    expect(all.map(fileVariable).filter((name) => name !== null && names.has(name))).toEqual([]);
  });

  it('is read by the roles and by broadside up', async () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const secrets = {
      DATABASE_URL_FILE: await file('postgres://user:password@127.0.0.1/broadside\n'),
      MASTER_KEY_FILE: await file(`${key}\n`),
    };
    const read = { databaseUrl: 'postgres://user:password@127.0.0.1/broadside', masterKey: key };
    expect(readEngineConfig(secrets)).toMatchObject(read);
    expect(readUpConfig({ ...secrets, MASTER_KEYS_OLD_FILE: await file('one,two') })).toMatchObject({
      ...read,
      masterKeysOld: ['one', 'two'],
    });
  });
});

const NOBODY = 65_534;

/** Root may read everything: for this long the process is somebody else. */
function asNobody<Result>(work: () => Result): Result {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}
