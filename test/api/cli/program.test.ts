// tier: system
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../api/cli/main.ts';
import { runCliHere } from '../../support/run-cli-here.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const bin = fileURLToPath(new URL('../../../api/bin.mjs', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Every command that does something, with its words after `broadside`. */
function leavesOf(command: Command, words: readonly string[] = []): [string, Command][] {
  const below = command.commands.filter((each) => each.name() !== 'help');
  return below.length === 0
    ? [[words.join(' '), command]]
    : below.flatMap((each) => leavesOf(each, [...words, each.name()]));
}

/** As `--help` prints it, with the texts of the commands above. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

const leaves = leavesOf(await createProgram('all'));
/** What prints no data of its own. */
const withoutJson: readonly RegExp[] = [
  /^(up|api|engine|reporting)$/,
  /^completion$/,
  /^openapi$/,
  /^watching$/,
  /^apps (export|adopt-keys)$/,
  /^revenue (grant|revoke)$/,
  /^ad-stats day-zone$/,
];

describe('the command line as a whole', () => {
  it('says its version', async () => {
    const { code, out } = await runCliHere(['--version'], { cwd: root, env: {} });
    expect([code, out]).toEqual([0, `${version}\n`]);
  });

  it('is on the path after one line of the documents, wherever it is called from', async () => {
    const script =
      'export PATH="$PWD/api/bin:$PATH"; cd /; broadside --version; ln -s "$(command -v broadside)" "$1/other"; "$1/other" --version';
    const folder = await mkdtemp(join(tmpdir(), 'broadside-path-'));
    const { stdout } = await promisify(execFile)('sh', ['-euc', script, 'sh', folder], { cwd: root });
    expect(stdout).toBe(`${version}\n${version}\n`);
    await rm(folder, { recursive: true });
  });

  it('loads none of the heavy modules for a version or the list of commands', async () => {
    const hook = `import { registerHooks } from 'node:module';
      const heavy = new Set();
      registerHooks({ load(url, context, next) {
        const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
        if (name !== undefined) heavy.add(name);
        return next(url, context);
      } });
      process.on('exit', () => console.error([...heavy].join(' ')));`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, bin];
    for (const flag of ['--version', '--help']) {
      const { stderr } = await promisify(execFile)(process.execPath, [...args, flag], { cwd: root });
      expect(stderr.trim()).toBe('commander');
    }
  });

  it('describes a command in its list as the command itself does', async () => {
    const whole = await createProgram('all');
    const light = await createProgram(null);
    const described = ({ commands }: Command) => commands.map((each) => [each.name(), each.description()]);
    expect(described(light).toSorted()).toEqual(described(whole).toSorted());
  });

  it.each(leaves)('%s has an example in its help', (words, command) => {
    const help = helpOf(command);
    const from = help.search(/^Examples?:$/m);
    expect(from, help).toBeGreaterThan(0);
    expect(help.slice(from)).toMatch(
      new RegExp(`^ +(.*\\| )?(broadside|npm run|source <\\(broadside) ${words}\\b`, 'm'),
    );
  });

  it.each(leaves)('%s has no example line that is glued of two', (_words, command) => {
    const help = helpOf(command);
    const examples = help
      .slice(help.search(/^Examples?:$/m))
      .split('\n')
      .slice(1);
    // A line that goes on ends with a backslash, and what goes on stands deeper.
    for (const [at, line] of examples.entries()) {
      // A note in brackets may stand beside it.
      expect(line.trim().replace(/ {2,}\(.*\)$/, ''), line).not.toMatch(/ {2,}|\\ +\S/);
      expect(line.length, line).toBeLessThan(130);
      if (/^ {4,}\S/.test(line)) expect(examples[at - 1], line).toMatch(/ \\$/);
      if (line.endsWith('\\')) expect(examples[at + 1], line).toMatch(/^ {4,}\S/);
    }
  });

  it.each(leaves.filter(([words]) => !withoutJson.some((each) => each.test(words))))(
    '%s prints its data as JSON where asked',
    (_words, command) => {
      expect(command.options.map(({ long }) => long)).toContain('--json');
    },
  );

  it.each([
    [['sned'], '(Did you mean send?)'],
    [['token', 'creat'], '(Did you mean create?)'],
    [
      ['send', '--app', 'a', '--titel', 'b', '--title', 'b', '--body', 'c', '--url', 'd'],
      '(Did you mean --title?)',
    ],
  ])('proposes the word that was probably meant: %j', async (args, proposal) => {
    const { code, err } = await runCliHere(args, { cwd: root, env: {} });
    expect([code, err]).toEqual([2, expect.stringContaining(proposal)]);
  });
});
