// tier: core, alone
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchProgram } from '../../bench/program.ts';
import { commandsOf, documents, proseOf, readDocument, type ShellCommand } from './markdown.ts';
import { startWorld, type World } from './world.ts';

/** What a test cannot run, each with its reason. Every entry must meet a command, or it is out of date. */
const notRun: readonly { readonly command: RegExp; readonly reason: string }[] = [
  {
    command: /^npm ci\b/,
    reason: 'it would replace the packages that the tests run from; test/bench runs the demo behind it',
  },
  {
    command: /^export PATH="\$PWD\/api\/bin:\$PATH"$/,
    reason: 'commands run in the process of this test; test/api/cli/program runs this line in a shell',
  },
  { command: /^export BROADSIDE_URL=/, reason: 'the world of this test listens on a port of its own' },
  { command: /^npm start$/, reason: 'the world of this test is what it starts' },
  { command: /^npm (test|run test:(quick|rest|all))$/, reason: 'it would run this test again' },
  { command: /^npm run (check|format|schema|kafka)$/, reason: 'test/architecture and .ci/run do' },
  {
    command: /^npm run (api|engine|reporting)$/,
    reason: 'the test of several processes starts them with compose’s own settings',
  },
  {
    command: /^npm run bench\b/,
    reason: 'it takes minutes; each of its options is looked up here, and test/bench runs small ones',
  },
  { command: /^npm run chaos\b/, reason: 'it takes minutes; test/chaos runs a few seeds' },
  {
    command: /^export .*(…|openssl|kafka:9092)/,
    reason: 'it has a value to fill in, or servers that are not here',
  },
  { command: /^npm run supply$/, reason: '.ci/run does, and the registry may be away' },
  { command: /^npm run release\b/, reason: 'test/api/release makes one' },
  { command: /^docker /, reason: 'it needs Docker; test/api/release builds both images without it' },
  {
    command: /^(git push|cosign|gh) /,
    reason: 'it publishes, or reads what was published',
  },
  { command: /^helm /, reason: 'it needs a cluster; test/architecture renders the chart' },
  {
    command: /^broadside anomalies .*--mute /,
    reason: 'it names a series that has rows; test/api/cli/explain mutes one',
  },
  { command: /^kubectl /, reason: 'it needs a cluster; test/architecture holds the manifests to its schema' },
  { command: /^broadside kafka check$/, reason: 'it needs a cluster; test/conformance runs it' },
  {
    command: /^broadside doctor$/,
    reason: 'it misses push services on a machine without the internet; test/api/cli/doctor runs it',
  },
  {
    command: /^(gunzip .*\| )?broadside import subscriptions .*--from /,
    reason: 'it needs the export and the keys of another service; test/api/cli/import has some of each',
  },
  {
    command: /\bbroadside (backup|restore)\b/,
    reason: 'it names folders of the operator; test/backup runs both',
  },
  { command: /^npm run fuzz\b/, reason: 'test/fuzz plays each of its targets' },
  { command: /^npx vitest run\b/, reason: 'it would run tests within a test' },
  {
    command: /^(export (REPORT_WIRE_\w+|PGPASSWORD)=|psql )/,
    reason: 'it needs a listener that the world of this test has not; test/reporting/wire runs psql and more',
  },
  {
    command: /^broadside report-schedules add /,
    reason: 'it names colleagues and a receiver; test/api/cli/report-schedules adds both',
  },
  {
    command: /^broadside saved-reports save "Looker"/,
    reason: 'it needs the token of a later document; reporting/SCHEDULES.md saves a report with it',
  },
  { command: /^\.ci\/run$/, reason: 'it installs what the machine lacks' },
];

const all = documents.flatMap(commandsOf);
const isRun = ({ text }: ShellCommand): boolean => !notRun.some(({ command }) => command.test(text));
const toRun = all.filter(isRun);

describe('the commands of the documents', () => {
  it('are all known: what is not run has its reason', () => {
    expect(all.length).toBeGreaterThan(40);
    for (const { command, reason } of notRun) {
      expect(
        all.some(({ text }) => command.test(text)),
        `${command}: ${reason}`,
      ).toBe(true);
    }
    expect(toRun.map(({ text }) => text).filter((text) => !/\b(broadside|curl) /.test(text))).toEqual([]);
  });

  it('name options that the bench has', () => {
    const commands = benchCommands();
    const called = all.flatMap(({ text }) => {
      const [, name, rest = ''] = /^npm run bench -- ([a-z-]+)(.*)$/.exec(text) ?? [];
      return name === undefined ? [] : [{ text, name, options: rest.match(/--[a-z-]+/g) ?? [] }];
    });
    expect(called.length).toBeGreaterThan(12);
    for (const { text, name, options } of called) {
      expect(commands.get(name), text).toBeDefined();
      for (const option of options) expect(commands.get(name), text).toContain(option);
    }
  });

  describe('run one after the other', () => {
    let world: World;
    let identifier = 'none';
    beforeAll(async () => {
      world = await startWorld();
    });
    afterAll(() => world?.close());

    /** Names that differ from one installation to the next. */
    const asHere = (text: string): string =>
      text
        .replaceAll('example-news-k3x9qa', identifier)
        .replaceAll('http://127.0.0.1:8082', world.reportingUrl);

    it.each(toRun.map(({ file, text }) => [file, text]))('%s: %s', async (_, text) => {
      if (text.startsWith('curl '))
        return expect([200, 201]).toContain((await request(world, asHere(text))).status);
      const { code, out, err } = await world.run(asHere(text));
      expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
      identifier = /\bexample-news-\w+/.exec(out)?.[0] ?? identifier;
    });

    it('did what they say', async () => {
      expect(toRun.length).toBeGreaterThan(11);
      const sends = toRun.filter(({ text }) => /^broadside send |\/deliveries"/.test(text));
      expect(sends.length).toBeGreaterThan(1);
      await expect.poll(() => world.received()).toBe(sends.length * world.subscribers);
    });

    it('are explained by --help, those in the prose too', async () => {
      const prose = documents
        .filter((file) => file !== 'CHANGELOG.md')
        .map(proseOf)
        .join('\n');
      const named = prose.matchAll(/`broadside ((?:[a-z][a-z-]* ?){1,2})/g);
      const commands = new Set([...named].map(([, words = '']) => words.trim()));
      expect(commands.size).toBeGreaterThan(5);
      for (const command of commands) {
        const { code, err } = await world.run(`broadside ${command} --help`);
        expect({ command, code, err }).toEqual({ command, code: 0, err: '' });
      }
    });
  });

  it('call the command line by its name: npx takes a second of CPU to find it', () => {
    // The package and the images have no other name for it.
    const allowed = /npx broadside (up|demo)\b|docker compose exec api node api\/bin\.mjs/g;
    for (const file of documents.filter((each) => each !== 'CHANGELOG.md'))
      expect(readDocument(file).replaceAll(allowed, ''), file).not.toMatch(
        /npx broadside|node api\/bin\.mjs/,
      );
    for (const file of ['README.md', 'api/GUIDE.md', 'api/docs/first-notification.md'])
      expect(readDocument(file), file).toContain('export PATH="$PWD/api/bin:$PATH"');
  });

  it('have a command of that name in the package', () => {
    const { bin } = JSON.parse(readDocument('package.json')) as { bin: object };
    expect(bin).toEqual({ broadside: 'api/bin.mjs' });
  });
});

/** Sends what the command would, and wants the answer's rows to be there. */
async function request(world: World, command: string): Promise<Response> {
  const [url = '', ...rest] = await world.wordsOf(command);
  const after = (option: string): string[] => rest.filter((_, place) => rest[place - 1] === option);
  const headers = after('-H').map((header) => header.split(/: (.*)/s, 2) as [string, string]);
  const body = after('-d').join('');
  const response = await fetch(url, body === '' ? { headers } : { method: 'POST', headers, body });
  const { data } = (await response.clone().json()) as { data?: object };
  expect(Object.keys(data ?? {}).length, await response.clone().text()).toBeGreaterThan(0);
  return response;
}

/** The bench's commands, and the help of each. */
function benchCommands() {
  const commands = benchProgram().commands.map((each) => [each.name(), each.helpInformation()] as const);
  return new Map(commands);
}
