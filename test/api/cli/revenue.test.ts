// tier: postgres
import { describe, expect, it } from 'vitest';
import { buildApp } from '../../support/builders.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { openTestApi } from '../support.ts';

describe('broadside revenue', async () => {
  const api = await openTestApi();
  await buildApp(api.database);

  const run = (...args: string[]) =>
    runCliHere(['revenue', ...args], { cwd: process.cwd(), env: { DATABASE_URL: api.databaseUrl } });
  const change = (verb: string, ...options: string[]) =>
    run(verb, '--organization', 'Daily Example', ...options);

  it('grants, lists and takes back, each change once and with its note', async () => {
    const granted = await change('grant', '--domain', 'WWW.News.Example');
    expect([granted.code, granted.err]).toEqual([
      0,
      '"Daily Example" may see the earnings of news.example.\n',
    ]);
    const again = await change('grant', '--domain', 'news.example');
    expect([again.code, again.err]).toEqual([0, expect.stringMatching(/no change\.\n$/)]);
    await change('grant', '--every-site');
    const lines = (await run('list', '--json')).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject(
      ['*', 'news.example'].map((domain) => ({ organization: 'Daily Example', domain })),
    );
    expect((await run('list', '--organization', 'Nobody')).out).toBe('');

    expect((await change('revoke', '--domain', 'news.example')).code).toBe(0);
    expect((await run('list')).out).toMatch(/^Daily Example\t\*\t\d{4}-\d{2}-\d{2}T[\d:]+\+00:00\n$/);
    const notes = await api.database.query<{ action: string; subject_id: string; via: string }>(
      `SELECT action, subject_id, via FROM audit_log ORDER BY id`,
    );
    expect(notes).toEqual([
      { action: 'revenue.granted', subject_id: 'news.example', via: 'command' },
      { action: 'revenue.granted', subject_id: '*', via: 'command' },
      { action: 'revenue.revoked', subject_id: 'news.example', via: 'command' },
    ]);
  });

  it('explains errors in one line', async () => {
    const wrong: [string[], string][] = [
      [
        ['grant', '--organization', 'Nobody', '--domain', 'news.example'],
        'there is no organization "Nobody"',
      ],
      [
        ['grant', '--organization', 'Daily Example', '--domain', 'https://x.example/a'],
        'is not a domain such as',
      ],
      [['grant', '--organization', 'Daily Example'], 'name either --domain or --every-site'],
    ];
    for (const [args, text] of wrong) {
      const { code, err } = await run(...args);
      expect([code, err.trim().split('\n').length, err]).toEqual([1, 1, expect.stringContaining(text)]);
    }
  });
});
