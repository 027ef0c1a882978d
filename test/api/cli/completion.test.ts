// tier: system
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';

const isInstalled = (shell: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, shell)));

describe('completion', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadside-completion-'));
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, out } = await runCliHere(['completion', shell], { cwd: folder, env: {} });
      expect(code).toBe(0);
      await writeFile(join(folder, shell), out);
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** What bash offers after these words, the last one half typed. */
  async function inBash(...words: readonly string[]): Promise<string[]> {
    const typed = words.map((word) => `'${word}'`).join(' ');
    const script = `source ${join(folder, 'bash')}; COMP_WORDS=(broadside ${typed}); COMP_CWORD=${words.length}; _broadside; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script]);
    return stdout.split('\n').filter((line) => line !== '');
  }

  it('offers commands, and what they begin with', async () => {
    expect(await inBash('')).toEqual(expect.arrayContaining(['up', 'token', 'send', 'completion']));
    expect(await inBash('re')).toEqual([
      'reporting',
      'report-token',
      'revenue',
      'restore',
      'report',
      'report-schedules',
    ]);
    expect(await inBash('token', '')).toEqual(expect.arrayContaining(['create', 'list', 'revoke']));
  });

  it('offers a command’s options, and no others', async () => {
    expect(await inBash('token', 'create', '--e')).toEqual(['--email', '--expires']);
    expect(await inBash('token', 'create', '--title')).toEqual([]);
    expect(await inBash('send', '--app', 'news', '--ti')).toEqual(['--title']);
  });

  it('offers the values of an option or argument that takes few', async () => {
    expect(await inBash('send', '--lane', '')).toEqual(['bulk', 'breaking']);
    expect(await inBash('send', '--lane', 'br')).toEqual(['breaking']);
    expect(await inBash('completion', 'z')).toEqual(['zsh']);
  });

  it('offers no command in the place of an option’s value: bash has its files then', async () => {
    expect(await inBash('subscriptions', 'export', '--out', '')).toEqual([]);
  });

  it('is a script that zsh and fish can read, where they are installed', async () => {
    for (const [shell, flag] of [
      ['bash', '-n'],
      ['zsh', '-n'],
      ['fish', '--no-execute'],
    ] as const) {
      if (isInstalled(shell)) await promisify(execFile)(shell, [flag, join(folder, shell)]);
    }
  });

  it.runIf(isInstalled('fish'))('works in fish', async () => {
    const complete = async (line: string): Promise<string[]> => {
      const script = `source ${join(folder, 'fish')}; complete -C '${line}'`;
      const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', script]);
      return stdout.split('\n').map((each) => each.split('\t')[0] ?? '');
    };
    expect(await complete('broadside re')).toEqual(expect.arrayContaining(['reporting', 'report-token']));
    expect(await complete('broadside token create --e')).toEqual(
      expect.arrayContaining(['--email', '--expires']),
    );
    expect(await complete('broadside send --lane ')).toEqual(expect.arrayContaining(['bulk', 'breaking']));
    expect(await complete('broadside token ')).not.toContain('reporting');
  });

  it('refuses a shell that it does not know', async () => {
    const { code, err } = await runCliHere(['completion', 'tcsh'], { cwd: folder, env: {} });
    expect([code, err]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')]);
  });
});
