// tier: postgres
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../api/cli/main.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, openTestApi } from '../support.ts';

/** Every command that speaks to the API and does something. */
const leavesOf = (command: Command, words: readonly string[] = []): [string, Command][] =>
  command.commands.length === 0
    ? [[words.join(' '), command]]
    : command.commands.flatMap((each) => leavesOf(each, [...words, each.name()]));
const remote = leavesOf(await createProgram('all')).filter(([, { options }]) =>
  options.some(({ long }) => long === '--api'),
);

const text = ['--title', 'a', '--body', 'b', '--url', 'https://news.example.com/1'];
/** What a command takes beside what is not there. */
const needs: Readonly<Record<string, readonly string[]>> = {
  send: text,
  'welcome set': text,
  'campaigns create': [...text, '--title', 'c'],
  'campaigns change': [...text, '--title', 'c'],
  'campaigns preview': ['--local-time', '2036-11-24T08:00'],
  'campaigns winner': ['--variant', '1'],
  'deliveries change': ['--title', 'a'],
  'deliveries correct': ['--title', 'a'],
  'person export': ['--user-id', 'a'],
  'person erase': ['--user-id', 'a'],
  'apps icon': ['--remove'],
  'apps badge': ['--remove'],
  'webhook change': ['--disable'],
};
/** Needs no id: the first finds the user by a text, the second has no object. */
const UNKNOWN = 999_999;
const argumentsOf = (words: string, command: Command): string[] =>
  command.registeredArguments.map((argument) => {
    if (words.startsWith('approvals') && argument.name() === 'kind') return 'delivery';
    return argument.name() === 'app' ? 'none-zzzzzz' : String(UNKNOWN);
  });
const takesApp = ({ options, registeredArguments }: Command): boolean =>
  options.some(({ long }) => long === '--app') || registeredArguments[0]?.name() === 'app';
const takesId = ({ registeredArguments }: Command): boolean =>
  registeredArguments.some((argument) => !['app', 'kind', 'picture'].includes(argument.name()));

describe('what is not there', async () => {
  const api = await openTestApi();
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const member = await createMember(api.database, { role: 'admin' });
  const env = { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token };
  const app = (await callAs(api.app, member)('POST', '/apps', appBody())).json().data.identifier;

  const run = (words: string, command: Command, given: readonly string[]) => {
    const names = argumentsOf(words, command).filter((_, at) => {
      const argument = command.registeredArguments[at];
      return argument?.name() !== 'picture';
    });
    return runCliHere([...words.split(' '), ...given, ...names, ...(needs[words] ?? [])], {
      cwd: import.meta.dirname,
      env,
    });
  };

  it('is in one list or the other for nearly every command', () => {
    const neither = remote.filter(([, command]) => !takesApp(command) && !takesId(command));
    expect(neither.map(([words]) => words).toSorted()).toEqual([
      'apps create',
      'apps list',
      'webhook create',
      'webhook list',
    ]);
  });

  it.each(remote.filter(([, command]) => takesApp(command)))('%s names an app', async (words, command) => {
    const given = command.options.some(({ long }) => long === '--app') ? ['--app', 'none-zzzzzz'] : [];
    const { code, out, err } = await run(words, command, given);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('broadside: there is no app none-zzzzzz for this token: "broadside apps list"');
  });

  it.each(remote.filter(([, command]) => takesId(command)))(
    '%s names what has an id',
    async (words, command) => {
      const given = command.options.some(({ long }) => long === '--app') ? ['--app', app] : [];
      const { code, out, err } = await run(words, command, given);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(
        /^broadside: [^\n]*\b(delivery|campaign|draft|subscription|receipt|browser|webhook)/,
      );
      expect(err).toContain(String(UNKNOWN));
      expect(err.trim().split('\n')).toHaveLength(1);
    },
  );

  it('says that it may be the app, where the token must not read apps', async () => {
    const member = await createMember(api.database, { abilities: ['deliveries:read'] });
    const { err } = await runCliHere(['deliveries', 'show', '--app', app, '7'], {
      cwd: import.meta.dirname,
      env: { ...env, BROADSIDE_TOKEN: member.token },
    });
    expect(err).toBe(`broadside: there is no delivery 7 in the app ${app}, or no such app for this token\n`);
  });

  it('says that another server was asked', async () => {
    const { err } = await runCliHere(['apps', '--api', `${env.BROADSIDE_URL}/docs`], {
      cwd: import.meta.dirname,
      env,
    });
    expect(err).toContain('check that --api or BROADSIDE_URL is the address of a Broadside');
  });
});
