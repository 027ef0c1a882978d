// tier: system
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explained } from '../../../api/cli/import/interruptions.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { runCli } from '../../support/run-cli.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import {
  appBody,
  bearer,
  callAs,
  createMember,
  createTestApi,
  newEndpoint,
  newKeys,
  type TestApi,
} from '../support.ts';

const bin = fileURLToPath(new URL('../../../api/bin.mjs', import.meta.url));

describe('the command line', () => {
  let api: TestApi;
  let folder: string;
  beforeAll(async () => {
    api = await createTestApi();
    folder = await mkdtemp(join(tmpdir(), 'broadside-cli-'));
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true });
  });

  const envOf = (changes: Record<string, string>) => ({
    PATH: process.env.PATH ?? '',
    DATABASE_URL: api.databaseUrl,
    PUSH_SERVICE_HOSTS: 'push.example.com',
    ...changes,
  });
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runCliHere(args, { cwd: folder, env: envOf(env) });
  /** In a process of its own, as people start it. */
  const start = (args: readonly string[]) => runCli(args, { cwd: folder, env: envOf({}) });
  const tokenArgs = (changes: Record<string, string> = {}) => {
    const options = {
      email: 'ada@example.com',
      organization: 'Example News',
      name: 'laptop',
      abilities: 'all',
      ...changes,
    };
    return ['token', 'create', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])];
  };

  it('ends well where its reader has closed the pipe, as head does', async () => {
    const child = spawn(process.execPath, [bin, 'settings'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
    const [code] = await once(child, 'close');
    expect([code, said]).toEqual([0, '']);
  });

  it('creates a token that opens the API, with its organization and user', async () => {
    const { code, out } = await start(tokenArgs());
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+\|[\w-]{43}\n$/)]);
    const answer = await api.app.inject({ url: '/api/v1/client/apps', headers: bearer(out.trim()) });
    expect(answer.statusCode).toBe(200);
  });

  it('creates further tokens for the same user and organization, as JSON where asked', async () => {
    const first = JSON.parse((await run([...tokenArgs({ email: 'bob@example.com' }), '--json'])).out);
    const again = tokenArgs({ email: 'BOB@example.com', abilities: 'apps:read, deliveries:write' });
    const second = JSON.parse((await run([...again, '--json'])).out);
    expect([second.user_id, second.organization_id]).toEqual([first.user_id, first.organization_id]);
    const [row] = await api.database.query(`SELECT abilities, name FROM api_tokens WHERE id = $1`, [
      second.token.split('|')[0],
    ]);
    expect(row).toEqual({ abilities: ['apps:read', 'deliveries:write'], name: 'laptop' });
    const organizations = await api.database.query(`SELECT 1 FROM organizations WHERE name = 'Example News'`);
    expect(organizations).toHaveLength(1);
  });

  it('creates a token that ends, and lists when each ends and was last used', async () => {
    const { out } = await run(tokenArgs({ email: 'eve@example.com', expires: '2999-01-31' }));
    await api.app.inject({ url: '/api/v1/client/apps', headers: bearer(out.trim()) });
    const list = ['token', 'list', '--email', 'eve@example.com'];
    const [token] = (await run([...list, '--json'])).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(token).toMatchObject({
      email: 'eve@example.com',
      expires_at: '2999-01-31T00:00:00+00:00',
      last_used_at: expect.stringMatching(/\+00:00$/),
    });
    const table = (await run(list)).out;
    expect(table).toMatch(/^ID +USER +NAME +LAST USED \(UTC\) +ENDS \(UTC\) +ABILITIES +APPS +FROM\n/);
    expect(table).toMatch(/ \d{4}-\S+ \d\d:\d\d +2999-01-31 00:00 +all +any +any\n$/);
    expect((await run(list)).out).not.toContain(out.trim().split('|')[1]);
  });

  it('says which abilities of a new token count nowhere for its user', async () => {
    const reader = tokenArgs({ email: 'ron@example.com', role: 'reader' });
    const { code, out, err } = await run(reader);
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+\|/)]);
    expect(err).toMatch(/By the role reader, its user does not have .*deliveries:write/);
    expect(JSON.parse((await run([...reader, '--json'])).out).note).toMatch(/^By the role reader/);
    expect((await run([...reader.slice(0, -2), '--abilities', 'apps:read'])).err).not.toContain('role');
  });

  it('revokes a token by its id, once, and notes it', async () => {
    const { out } = await run(tokenArgs({ email: 'zoe@example.com' }));
    const [id = ''] = out.split('|');
    const revoked = await run(['token', 'revoke', id]);
    expect([revoked.code, revoked.err]).toEqual([0, `Token ${id} (laptop) of zoe@example.com is revoked.\n`]);
    const answer = await api.app.inject({ url: '/api/v1/client/apps', headers: bearer(out.trim()) });
    expect(answer.statusCode).toBe(401);
    const again = await run(['token', 'revoke', id, '--json']);
    expect([again.code, again.err]).toEqual([
      1,
      `broadside: there is no token ${id}, or it was revoked before\n`,
    ]);
    const noted = await api.database.query(
      `SELECT detail FROM audit_log WHERE action = 'token.revoked' AND subject_id = $1`,
      [id],
    );
    expect(noted).toEqual([{ detail: { name: 'laptop' } }]);
  });

  it.each<[what: string, changes: Record<string, string>, line: RegExp]>([
    [
      'an unknown ability',
      { abilities: 'apps:read,apps:fly' },
      /^broadside: unknown ability "apps:fly"; use apps:read/,
    ],
    ['an address that is none', { email: 'ada' }, /^broadside: --email "ada" is not an e-mail address\n$/],
    [
      'an end that is over',
      { expires: '2020-01-31' },
      /^broadside: --expires "2020-01-31" is in the past\n$/,
    ],
    [
      'an end that is none',
      { expires: 'soon' },
      /^broadside: --expires "soon" is not a day such as 2027-01-31/,
    ],
    ['an empty name', { name: ' ' }, /^broadside: --name must have 1 to 255 characters\n$/],
    [
      'another organization',
      { email: 'ada@example.com', organization: 'Other' },
      /belongs to the organization "Example News", not "Other"\n$/,
    ],
    [
      'another role',
      { email: 'ada@example.com', role: 'member' },
      /exists with the role admin, not member\n$/,
    ],
  ])('refuses a token for %s in one line, and leaves nothing behind', async (_what, changes, line) => {
    await run(tokenArgs());
    const count = () =>
      api.database.query(
        `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM api_tokens) AS tokens, (SELECT count(*) FROM organizations) AS organizations`,
      );
    const before = await count();
    const { code, out, err } = await run(tokenArgs(changes));
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(line)]);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(await count()).toEqual(before);
  });

  it('ends its process with the code of the command: 0, 1, 2, and 3 for lines that were refused', async () => {
    const { identifier } = (
      await callAs(api.app, await createMember(api.database))('POST', '/apps', appBody())
    ).json().data;
    await writeFile(join(folder, 'refused.ndjson'), 'nonsense\n');
    const words = [
      ['--help'],
      ['import', 'subscriptions', '--app', identifier, 'missing.ndjson'],
      ['fly'],
      ['import', 'subscriptions', '--app', identifier, 'refused.ndjson'],
    ];
    const ended = await Promise.all(words.map(start));
    expect(ended.map(({ code }) => code)).toEqual([0, 1, 2, 3]);
  });

  it('says in one line that Postgres does not answer', async () => {
    const { code, err } = await run(tokenArgs(), { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^broadside: Postgres does not answer \(.*ECONNREFUSED.*\)\..*\n$/),
    ]);
  });

  it('ends with 2 and a hint where the command is wrong, with 0 where help is asked for', async () => {
    for (const args of [['fly'], ['token', 'create'], ['import', 'subscriptions'], []]) {
      const { code, err } = await run(args);
      expect([args, code, err.length > 0]).toEqual([args, 2, true]);
    }
    for (const args of [['--help'], ['token', 'create', '--help'], ['import', 'subscriptions', '--help']]) {
      const { code, out } = await run(args);
      expect([code, out]).toEqual([0, expect.stringContaining('Usage: broadside')]);
    }
  });

  describe('import subscriptions', () => {
    let app: string;
    beforeAll(async () => {
      const call = callAs(api.app, await createMember(api.database));
      app = (await call('POST', '/apps', appBody())).json().data.identifier;
    });
    const good = () => JSON.stringify({ endpoint: newEndpoint(), ...newKeys() });
    const fileOf = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return name;
    };
    const importArgs = (...args: string[]) => ['import', 'subscriptions', '--app', app, ...args];

    it('prints its result, in words and as JSON', async () => {
      const file = await fileOf('a.ndjson', `${good()}\n${good()}\n`);
      const first = await run(importArgs(file));
      expect([first.code, first.out]).toEqual([
        0,
        expect.stringMatching(
          new RegExp(
            `^2 of 2 lines are in ${app}: 2 new, 0 updated, 0 refused, in [\\d.]+ s\\.\\n` +
              '2 lines read: 2 rows in \\+ 0 set aside \\+ 0 header and blank lines\\.\\n$',
          ),
        ),
      ]);
      const second = await run(importArgs(file, '--json'));
      expect(JSON.parse(second.out)).toEqual({
        app,
        lines: 2,
        inserted: 0,
        updated: 2,
        refused: 0,
        file_lines: 2,
        passed_over: 0,
        from: 'plain',
        dry_run: false,
        vapid: null,
        unknown_fields: [],
        stopped: false,
        elapsed_ms: expect.any(Number),
      });
    });

    it('imports nothing of a CSV whose quote never closes, and names its line', async () => {
      const { p256dh, auth } = newKeys();
      const rows = Array.from({ length: 12_000 }, () => `${newEndpoint()},${p256dh},${auth},x`);
      rows[11_000] = rows[11_000]?.replace(/x$/, '"x') ?? '';
      const file = await fileOf('open.csv', ['endpoint,p256dh,auth,user_identity', ...rows].join('\n'));
      const count = () => api.database.query(`SELECT count(*) AS n FROM subscriptions`);
      const before = await count();
      expect(await run(importArgs(file))).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('line 11002: a quote opens there'),
      });
      expect(await count()).toEqual(before);
    });

    it('adds up the lines of a file: rows, those set aside, the header and blank ones', async () => {
      const { p256dh, auth } = newKeys();
      const row = (name: string) => `${newEndpoint()},${p256dh},${auth},${name}`;
      const lines = [
        'endpoint,p256dh,auth,user_identity',
        row('ok'),
        '',
        row('m\xfcller'),
        row('"two\nlines"'),
        'no,row',
      ];
      await writeFile(join(folder, 'latin.csv'), Buffer.from(`${lines.join('\n')}\n`, 'latin1'));
      const utf8 = await run(importArgs('latin.csv'));
      expect(utf8.out).toContain(
        '7 lines read: 2 rows in + 2 set aside (5 lines) + 2 header and blank lines.',
      );
      expect([utf8.code, utf8.err]).toEqual([3, expect.stringContaining('line 4: is not UTF-8')]);
      const latin = await run(importArgs('latin.csv', '--encoding', 'latin1', '--json'));
      expect(JSON.parse(latin.out)).toMatchObject({
        inserted: 1,
        updated: 2,
        refused: 1,
        file_lines: 7,
        passed_over: 2,
      });
      expect(
        await api.database.query(`SELECT 1 AS found FROM subscriptions WHERE user_identity = 'müller'`),
      ).toEqual([{ found: 1 }]);
    });

    it('names skipped fields, with the likely intended one, and ends with 3 where there is one', async () => {
      const line = (more: object) => JSON.stringify({ ...JSON.parse(good()), ...more });
      const columns = await fileOf(
        'columns.ndjson',
        `${line({ browser_name: 'Firefox', device_type: 'Mobile' })}\n`,
      );
      expect(await run(importArgs(columns))).toMatchObject({
        code: 0,
        out: expect.stringContaining('The field "browser_name" is not known and was ignored on 1 line\n'),
      });
      const misspelt = await fileOf(
        'misspelt.ndjson',
        `${line({ devicetype: 'mobile', note: 'x' })}\n${line({ devicetype: 'mobile', contry: '' })}\n`,
      );
      const answer = await run(importArgs(misspelt));
      expect(answer.code).toBe(3);
      expect(answer.out).toContain(
        'The field "devicetype" is not known and was ignored on 2 lines: did you mean device_type?\n' +
          'The field "note" is not known and was ignored on 1 line\n',
      );
      expect(answer.out).not.toContain('contry');
    });

    it('stops at Ctrl-C after the lines read so far, with sums that add up', async () => {
      const child = spawn(process.execPath, [bin, ...importArgs('--format', 'ndjson', '--json', '-')], {
        cwd: folder,
        env: envOf({}),
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      const closed = once(child, 'close');
      const count = async (): Promise<number> =>
        (await api.database.query<{ n: number }>(`SELECT count(*) AS n FROM subscriptions`))[0]?.n ?? 0;
      const before = await count();
      const keys = newKeys();
      const lines = Array.from({ length: 10_050 }, () =>
        JSON.stringify({ endpoint: newEndpoint(), ...keys }),
      );
      // The pipe stays open: without the signal the command would wait for ever.
      child.stdin.write(`${lines.join('\n')}\n`);
      while ((await count()) < before + 10_000) await setTimeout(50);
      child.kill('SIGINT');
      const [code] = await closed;
      const summary = JSON.parse(Buffer.concat(chunks).toString());
      expect([code, summary]).toEqual([
        130,
        expect.objectContaining({ lines: 10_050, inserted: 10_050, updated: 0, refused: 0, stopped: true }),
      ]);
      expect(await count()).toBe(before + 10_050);
    });

    it('reports for a slow Postgres how many lines are imported and how to continue, and blames no setting', () => {
      expect(
        explained(
          Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
          20_000,
        ),
      ).toEqual(
        new CliError(
          'Postgres did not finish a batch within 60 s: it is too busy, or another import holds the app. 20,000 lines are imported. ' +
            'Run the same command again; imported rows are only updated.',
        ),
      );
    });

    it('shows the first refused lines, writes all of them to a file, and ends with 3', async () => {
      const file = await fileOf('b.ndjson', `${good()}\n${'nonsense\n'.repeat(30)}`);
      const { code, err, out } = await run(importArgs(file, '--json', '--rejects', 'rejects.ndjson'));
      expect([code, JSON.parse(out)]).toEqual([
        3,
        expect.objectContaining({ lines: 31, inserted: 1, refused: 30 }),
      ]);
      const shown = err.trim().split('\n');
      expect([shown[0], ...shown.slice(20)]).toEqual([
        'line 2: is not valid JSON',
        '… and 10 more refused lines, all in rejects.ndjson',
        'Refused lines by reason:',
        '  30: is not valid JSON',
      ]);
      const rejects = (await readFile(join(folder, 'rejects.ndjson'), 'utf8')).trim().split('\n');
      expect(rejects).toHaveLength(30);
      expect(JSON.parse(rejects[29] ?? '')).toEqual({
        line: 31,
        reason: 'is not valid JSON',
        raw: 'nonsense',
      });
    });

    it('reads standard input where the format is given', async () => {
      const child = spawn(process.execPath, [bin, ...importArgs('--format', 'csv', '--json', '-')], {
        cwd: folder,
        env: envOf({}),
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const { p256dh, auth } = newKeys();
      child.stdin.end(`endpoint,p256dh,auth\n${newEndpoint()},${p256dh},${auth}\n`);
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      const [code] = await once(child, 'close');
      expect([code, JSON.parse(Buffer.concat(chunks).toString()).inserted]).toEqual([0, 1]);
    });

    it.each<[what: string, args: (app: string) => string[], line: RegExp]>([
      [
        'for a file that is not there',
        (id) => ['--app', id, 'missing.ndjson'],
        /^broadside: there is no file missing.ndjson\n$/,
      ],
      [
        'for a packed file',
        (id) => ['--app', id, 'users.csv.gz'],
        /^broadside: users\.csv\.gz is packed: .* gunzip -c FILE \| broadside … --format csv -\n$/,
      ],
      ['for an unknown format', (id) => ['--app', id, '.'], /^broadside: unknown format of \.: add --format/],
      ['for a directory', (id) => ['--app', id, '--format', 'csv', '.'], /^broadside: \. is a directory\n$/],
      [
        'for standard input without a format',
        (id) => ['--app', id, '-'],
        /^broadside: unknown format of standard input/,
      ],
      [
        'for an unknown app',
        () => ['--app', 'unknown', 'a.ndjson'],
        /^broadside: there is no app "unknown"\n$/,
      ],
      [
        'for a rejects file that cannot be written',
        (id) => ['--app', id, 'a.ndjson', '--rejects', 'no/such/folder'],
        /^broadside: cannot write no\/such\/folder/,
      ],
      [
        'for a CSV without the columns',
        (id) => ['--app', id, 'header.csv'],
        /^broadside: the first line of the CSV names no p256dh, auth/,
      ],
    ])('ends with 1 and one line %s', async (_what, args, line) => {
      await fileOf('a.ndjson', good());
      await fileOf('header.csv', 'endpoint,x\na,b\n');
      const { code, err } = await run(['import', 'subscriptions', ...args(app)]);
      expect([code, err]).toEqual([1, expect.stringMatching(line)]);
      expect(err.trim().split('\n')).toHaveLength(1);
    });
  });
});
