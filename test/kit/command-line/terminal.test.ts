// tier: system
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../../api/cli/main.ts';
import { linesOf } from '../../../api/cli/remote/export-rows.ts';
import { readOpenapiText } from '../../../api/serve/openapi-text.ts';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { shown, shownJson, shownLines } from '../../../engine/contract/shown.ts';
import { repositoryRoot } from '../../architecture/temporary-tree.ts';
import { runCliHere } from '../../support/run-cli-here.ts';

const code = (point: number): string => String.fromCodePoint(point);
const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => code(first + at));
/** Written down here anew, one by one, so that no slip in the product's own list goes through. */
const obeyed: readonly string[] = [
  ...range(0, 0x1f),
  ...range(0x7f, 0x9f),
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff, 0xfff9, 0xfffa, 0xfffb].map(code),
  ...range(0xe0000, 0xe007f),
];
/** A title, a link, a colour, an erased line and a line that pretends to be another. */
const hostile = `x${code(27)}]0;title${code(7)}${code(27)}]8;;https://evil.example${code(27)}\\${code(0x9b)}31m\r\nSpoofed line${obeyed.join('')}`;
const left = (text: string): string[] => obeyed.filter((each) => each !== '\n' && text.includes(each));

const allOf = async (texts: AsyncIterable<string>): Promise<string[]> => {
  const all: string[] = [];
  for await (const text of texts) all.push(text);
  return all;
};

describe('a text of a stranger', () => {
  it('is shown, each character that a terminal would obey written as in JSON', () => {
    expect(shown(`a${code(27)}b${code(0x9b)}c\n`)).toBe('a\\u001bb\\u009bc\\u000a');
    expect(obeyed.length).toBeGreaterThan(200);
    for (const each of obeyed) expect(JSON.parse(`"${shown(each)}"`)).toBe(each);
  });

  it('stays as it is where there is nothing to obey: letters of every script, and pictures', () => {
    const text = 'Grüße, 東京, עברית, عربى, हिन्दी, 👩‍👩‍👧, é, “x”';
    expect(shown(text)).toBe(text);
  });

  it('is the same JSON, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value);
        if (text === undefined) return;
        expect(JSON.parse(shownJson(value, indent))).toEqual(JSON.parse(text));
        expect(left(shownJson(value, indent))).toEqual([]);
      }),
    );
    expect(JSON.parse(shownJson({ [hostile]: hostile }))).toEqual({ [hostile]: hostile });
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(left(shownLines(text))).toEqual([]);
        expect(shown(shown(text))).toBe(shown(text));
      }),
    );
  });

  it('is shown in a line of the log for people, which it cannot end', () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => lines.push(line) };
    const logger = createLogger({ level: 'info', role: hostile, destination, format: 'pretty' });
    logger.info({ user: hostile, [hostile]: { deep: hostile } }, hostile);
    logger.error({ err: new Error(hostile) }, 'failed');
    expect(lines).toHaveLength(2);
    expect(left(lines.join(''))).toEqual([]);
    for (const line of lines.join('').trimEnd().split('\n')) expect(line).toMatch(/^(\d\d:\d\d:\d\d| {2})/);
  });

  it('is shown in CSV, and guarded where a spreadsheet would run it', async () => {
    const cell = async (text: string): Promise<string> => {
      const row = { id: 1, user_identity: text, tags: { [text]: text } } as never;
      const lines = await allOf(
        linesOf(
          (async function* () {
            yield row;
          })(),
          'csv',
        ),
      );
      expect(lines).toHaveLength(2);
      expect(left(lines.join(''))).toEqual([]);
      return lines[1]?.split(',')[1] ?? '';
    };
    expect(await cell(`a${code(27)}[2J`)).toBe('a\\u001b[2J');
    for (const first of ['=', '+', '-', '@', '\t', '\r'])
      expect(await cell(`${first}1`), JSON.stringify(first)).toBe(`'${shown(first)}1`);
    await cell(hostile);
  });

  it('is exact in JSON lines', async () => {
    const row = { id: 1, user_identity: hostile } as never;
    const lines = await allOf(
      linesOf(
        (async function* () {
          yield row;
        })(),
        'ndjson',
      ),
    );
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual(row);
    expect(left(lines[0] ?? '')).toEqual([]);
  });
});

type Schema = { readonly [key: string]: unknown };
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, unknown> }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A value of the schema, in which every text is hostile: the server lies about times and states as well. */
function answerOf(schema: Schema | undefined, api: OpenApi, depth = 0): unknown {
  if (schema === undefined || depth > 12) return hostile;
  if (typeof schema.$ref === 'string')
    return answerOf(api.components.schemas[schema.$ref.split('/').at(-1) ?? ''], api, depth + 1);
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (options !== undefined)
    return answerOf(options.find((one) => one.type !== 'null') ?? options[0], api, depth + 1);
  const all = schema.allOf as Schema[] | undefined;
  if (all !== undefined) return Object.assign({}, ...all.map((one) => answerOf(one, api, depth + 1)));
  const types = [schema.type].flat();
  if (types.includes('object')) {
    const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    const known = fields.map(([name, inner]) => [name, answerOf(inner, api, depth + 1)]);
    return { ...Object.fromEntries(known), ...(fields.length === 0 ? { [hostile]: hostile } : {}) };
  }
  if (types.includes('array')) return [answerOf(schema.items as Schema, api, depth + 1)];
  if (types.includes('integer') || types.includes('number')) return 1;
  if (types.includes('boolean')) return true;
  if (schema.format === 'date-time' && !lying) return '2030-01-31T00:00:00Z';
  const states = schema.enum as string[] | undefined;
  // Else a command that watches would go on.
  if (states?.includes('success')) return 'success';
  return states?.[0] ?? (schema.const as string | undefined) ?? hostile;
}
/** About times, too; the commands that count with them then fail, which has to be shown as well. */
let lying = false;

/** What a command needs besides what stands here for all. */
const given: Readonly<Record<string, readonly string[]>> = {
  'subscriptions show': ['1'],
  'person export': ['--user-id', 'x'],
  'person erase': ['--user-id', 'x', '--yes'],
  'deliveries change': ['1', '--now'],
  'approvals approve': ['delivery', '1'],
  'approvals decline': ['campaign', '1'],
};
const textFor = (name: string): string => {
  if (/at$|until|from|to$|day|date/.test(name)) return '2030-01-31';
  if (/url|site|icon|image/.test(name)) return 'https://news.example';
  return '1';
};

const leaves = (command: Command, words: readonly string[] = []): { command: Command; words: string[] }[] =>
  command.commands.length === 0
    ? [{ command, words: [...words] }]
    : command.commands.flatMap((each) => leaves(each, [...words, each.name()]));

describe('every command that asks the API', () => {
  let server: Server;
  let url: string;
  let api: OpenApi;
  let status = 200;
  let remote: { command: Command; words: string[] }[];

  beforeAll(async () => {
    api = (await readOpenapiText()) as never;
    remote = leaves(await createProgram('all')).filter(({ command }) =>
      command.options.some((option) => option.long === '--api'),
    );
    const patterns = Object.entries(api.paths).map(([path, methods]) => ({
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      methods,
    }));
    const bodyFor = (request: IncomingMessage): unknown => {
      if (status !== 200) return { message: hostile, errors: { name: [hostile, hostile] } };
      const path = new URL(request.url ?? '', 'http://x').pathname;
      const found = patterns.find(
        (each) => each.path.test(path) && (request.method ?? '').toLowerCase() in each.methods,
      );
      const { responses } = found?.methods[(request.method ?? '').toLowerCase()] ?? { responses: {} };
      const [, response] = Object.entries(responses).find(([number]) => number.startsWith('2')) ?? [];
      const schema = (response as { content?: { 'application/json'?: { schema?: Schema } } } | undefined)
        ?.content;
      const body = answerOf(schema?.['application/json']?.schema, api) as { links?: object; data?: object };
      // Else a command would read pages for ever.
      return body?.links === undefined ? body : { ...body, links: { ...body.links, next: null } };
    };
    server = createServer((request, response) => {
      request.resume();
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(bodyFor(request)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const argsOf = ({ command, words }: { command: Command; words: string[] }): string[] => [
    ...words,
    ...(given[words.join(' ')] ?? command.registeredArguments.map((one) => one.argChoices?.[0] ?? '1')),
    ...command.options
      .filter((option) => option.mandatory && option.long !== undefined)
      .flatMap((option) => [option.long ?? '', option.argChoices?.[0] ?? textFor(option.attributeName())]),
  ];
  const run = (args: readonly string[]) =>
    runCliHere(args, {
      cwd: tmpdir(),
      env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: 'token-of-tests', TZ: 'UTC' },
    });

  it.each([
    ['answers', 200, false],
    ['lies about times as well', 200, true],
    ['refuses', 422, false],
    ['fails', 404, false],
  ])(
    'shows what a hostile server says that %s',
    async (_, answer, lies) => {
      [status, lying] = [answer, lies];
      expect(remote.length).toBeGreaterThan(45);
      let showing = 0;
      const wrong: string[] = [];
      for (const leaf of remote) {
        const { out, err, code: ending } = await run(argsOf(leaf));
        if (ending === 2) wrong.push(`${argsOf(leaf).join(' ')}: ${err}`);
        expect(left(out + err), argsOf(leaf).join(' ')).toEqual([]);
        expect(`${out}\n${err}`.split('\n'), argsOf(leaf).join(' ')).not.toContainEqual(
          expect.stringMatching(/^Spoofed line/),
        );
        if (/\\u001b/.test(out + err)) showing++;
      }
      expect(wrong).toEqual([]);
      expect(showing).toBeGreaterThan(answer === 404 ? -1 : 30);
    },
    120_000,
  );

  it('prints exactly what the server said with --json', async () => {
    [status, lying] = [200, false];
    let exact = 0;
    for (const leaf of remote) {
      const { out, code: ending } = await run([...argsOf(leaf), '--json']);
      expect(left(out), leaf.words.join(' ')).toEqual([]);
      if (ending !== 0 || out === '' || leaf.words.at(-1) === 'export') continue;
      const texts = JSON.stringify(JSON.parse(out.split('\n')[0] ?? ''));
      if (texts.includes(JSON.stringify(hostile).slice(1, -1))) exact++;
    }
    expect(exact).toBeGreaterThan(25);
  });
});

/** What writes to a terminal without the one place through which texts of strangers become visible. */
const direct = /\bconsole\s*\.|process\s*\.\s*(stdout|stderr)(?!\.isTTY\b|,)|\bfd: [12]\b|['"]node:tty['"]/;
/** The place itself; the logger, whose lines are JSON or go through it; and what is run to build a release. */
const mayWrite: ReadonlySet<string> = new Set([
  'engine/kit/command-line/terminal.ts',
  'engine/adapters/telemetry/logger.ts',
  'engine/kit/http/docs/samples/typescript.ts',
  'api/client-libraries/build-command.ts',
  'api/dashboard/build-command.ts',
]);
/** They run in browsers. */
const elsewhere = /^api\/(sdk|dashboard\/web)\//;

describe('the sources', () => {
  const files = ['engine', 'api', 'reporting'].flatMap((room) =>
    readdirSync(join(repositoryRoot, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => join(room, name)),
  );
  const writing = (text: string): boolean =>
    text.split('\n').some((line) => !/^\s*(\/\/|\*|\/\*)/.test(line) && direct.test(line));

  it('print through one place alone', () => {
    expect(files.length).toBeGreaterThan(1_000);
    const found = files
      .filter((file) => !mayWrite.has(file) && !elsewhere.test(file))
      .filter((file) => writing(readFileSync(join(repositoryRoot, file), 'utf8')));
    expect(
      found,
      'print with engine/kit/command-line/terminal.ts, which shows what a terminal would obey',
    ).toEqual([]);
  });

  it.each([
    'console.log(name);',
    'console . error(name)',
    'process.stdout.write(name);',
    'process.stderr.write(name);',
    'pipeline(rows, process.stdout)',
    "import tty from 'node:tty';",
  ])('would be noticed with %s', (line) => {
    expect(writing(line)).toBe(true);
  });
});
