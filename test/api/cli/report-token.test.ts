// tier: postgres
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { hashSecret } from '../../../engine/kit/http/token.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { runCliHere } from '../../support/run-cli-here.ts';

const test = await createTestDatabase();
afterAll(() => test.drop());

const run = (...args: string[]) =>
  runCliHere(['report-token', ...args], { cwd: tmpdir(), env: { DATABASE_URL: test.url } });
const owner = ['--email', 'ada@example.com', '--organization', 'Example News'];

describe('broadside report-token', () => {
  it('issues a token, prints it once, and keeps only the hash of its secret', async () => {
    const { code, out, err } = await run('issue', ...owner, '--domain', 'news.example');
    expect([code, err]).toEqual([0, 'Keep it now: it is not shown again.\n']);
    const [, id = '', secret = ''] = /^(\d+)\|([\w-]{43})\n$/.exec(out) ?? [];
    const [row] = await test.database.query<{ secret_hash: Buffer; domains: string[]; role: string }>(
      `SELECT secret_hash, domains, role FROM report_tokens JOIN users ON users.id = user_id
       WHERE report_tokens.id = $1`,
      [id],
    );
    expect(row).toMatchObject({ domains: ['news.example'], role: 'member' });
    expect(row?.secret_hash.equals(hashSecret(secret))).toBe(true);
    const [{ stored } = { stored: '' }] = await test.database.query<{ stored: string }>(
      `SELECT string_agg(to_jsonb(r)::text, '') || (SELECT string_agg(to_jsonb(a)::text, '') FROM audit_log a) AS stored
       FROM report_tokens r`,
    );
    expect(stored).toContain('report-token.issued');
    expect(stored).not.toContain(secret);
  });

  it('takes domains and wholesalers many times, and writes domains as the statistics do', async () => {
    const names = ['News.Example', 'münchen.example', 'news.example.', 'sport.example'];
    const domains = names.flatMap((name) => ['--domain', name]);
    const { out } = await run('issue', ...owner, ...domains, '--wholesaler', ' North Sales ', '--json');
    expect(JSON.parse(out)).toEqual({
      token: expect.stringMatching(/^\d+\|[\w-]{43}$/),
      id: expect.any(Number),
      user_id: expect.any(Number),
      domains: ['news.example', 'sport.example', 'xn--mnchen-3ya.example'],
      wholesalers: ['North Sales'],
      unrestricted: false,
    });
  });

  it.each([
    [[], /would see nothing: .*--domain.*--wholesaler.*--unrestricted/],
    [['--unrestricted', '--domain', 'news.example'], /leave out --domain/],
    [['--domain', 'https://news.example/'], /is not a domain: write it like news\.example/],
    [['--domain', 'a b'], /is not a domain/],
    [['--wholesaler', ' '], /--wholesaler must have/],
  ])('refuses %j in one line that says how to resolve it', async (args, words) => {
    const { code, out, err } = await run('issue', ...owner, ...args);
    expect([code, out]).toEqual([1, '']);
    expect(err.trim()).toMatch(words);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('lists tokens without their secrets, and of one user where asked', async () => {
    await run('issue', '--email', 'bob@example.com', '--organization', 'Operator', '--unrestricted');
    const { out } = await run('list', '--email', 'BOB@example.com', '--json');
    expect(JSON.parse(out)).toEqual({
      id: expect.any(Number),
      name: 'reports',
      email: 'bob@example.com',
      organization: 'Operator',
      domains: [],
      wholesalers: [],
      unrestricted: true,
      created_at: expect.any(String),
      last_used_at: null,
      revoked_at: null,
    });
    expect((await run('list')).out).toMatch(/bob@example\.com\treports\tevery row\tnever used/);
  });

  it('revokes by the id, says so where it was revoked before, and never repeats a token', async () => {
    const { token, id } = JSON.parse((await run('issue', ...owner, '--unrestricted', '--json')).out);
    const pasted = await run('revoke', token);
    expect(pasted.code).toBe(1);
    expect(pasted.err).not.toContain(token.split('|')[1]);
    expect((await run('revoke', String(id))).out).toBe(`Report token ${id} is revoked.\n`);
    expect((await run('revoke', String(id))).out).toBe(`Report token ${id} was revoked before.\n`);
    expect((await run('revoke', '999999')).err).toBe('broadside: there is no report token 999999\n');
  });
});
