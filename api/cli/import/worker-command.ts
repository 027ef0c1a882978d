import { type Command, Option } from 'commander';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import { formerSnippets, formerWorkers } from '../../sdk/former-workers.ts';

const help = `
Browsers that subscribed with another service load its worker from the old address, and look there for a new version
when they come to the site, and at most a day after a push. Put what this prints at that address, and leave it there
permanently. Every page names the same address, so that the SDK finds the subscription that is there.

--beside prints the file for the time in which both services send: each handles its own messages.

Examples:
  broadside import worker --from onesignal --app news-k3x9qa --base-url https://push.example.com
  broadside import worker --from onesignal --app news-k3x9qa --base-url https://push.example.com --beside
  broadside import worker --from webpush --path /push/sw.js --app news-k3x9qa --base-url https://push.example.com`;

interface WorkerOptions {
  readonly from: string;
  readonly app: string;
  readonly baseUrl: string;
  readonly path?: string;
  readonly scope?: string;
  readonly beside?: boolean;
  readonly json?: boolean;
}

export function addWorkerCommand(command: Command): void {
  command
    .command('worker')
    .description(
      'Prints what replaces another service’s worker at its old address. Needs no running Broadside.',
    )
    .addOption(
      new Option('--from <service>', 'whose worker it is')
        .choices(formerWorkers.map(({ name }) => name))
        .makeOptionMandatory(),
    )
    .requiredOption('--app <identifier>', 'the app that its readers move to')
    .requiredOption('--base-url <url>', 'how browsers reach the API (PUBLIC_BASE_URL)')
    .option('--path <path>', 'the old address on the site, if it is not the service’s usual one')
    .option('--scope <path>', 'what it was registered for, if that is not its folder')
    .option('--beside', 'for the time in which both services send')
    .option('--json', 'print the parts as one JSON object')
    .addHelpText('after', help)
    .action(printWorker);
}

function printWorker({ from, app, baseUrl, path, scope, beside, json }: WorkerOptions): void {
  if (!/^https?:\/\/[^\s"'<]+$/.test(baseUrl)) throw new CliError(`${baseUrl} is not an address of an API`);
  for (const given of [path, scope])
    if (given !== undefined && !/^\/[^\s"'<\\]*$/.test(given))
      throw new CliError(`${given} is not a path on the site: a path begins with /`);
  const former = formerWorkers.find(({ name }) => name === from);
  if (former === undefined) throw new Error(`no worker of ${from}`);
  const usual = path === undefined ? former.scope : undefined;
  const kept = scope ?? usual;
  const place = { path: path ?? former.path, ...(kept === undefined ? {} : { scope: kept }) };
  const parts = formerSnippets({ appId: app, baseUrl }, former, place);
  const worker = beside === true ? parts.beside : parts.worker;
  if (json === true) {
    printJson({ ...place, others: former.others, worker, page: parts.page });
    return;
  }
  const also = former.others.map((other) => `${other}, `).join('');
  print([`The site’s ${also}${place.path}:`, '', ...worker.split('\n')]);
  if (beside === true && former.script === null) print(['Before what the file holds already.', '']);
  print(['Every page of the site, before </body>:', '', ...parts.page.split('\n')]);
}
