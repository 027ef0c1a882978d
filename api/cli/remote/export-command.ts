import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { SingleBar } from 'cli-progress';
import { type Command, Option } from 'commander';
import { counted } from '../../../engine/contract/counted.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { printNote, printNoteJson, rowsOut } from '../../../engine/kit/command-line/terminal.ts';
import { connect, remoteHelp, withRemoteOptions } from './connection.ts';
import { type ExportFormat, linesOf, readSubscriptions, type SubscriptionFilters } from './export-rows.ts';
import { addShowSubscription } from './show-subscription.ts';

interface ExportOptions {
  readonly app: string;
  readonly api?: string;
  readonly json?: boolean;
  readonly out?: string;
  readonly format: ExportFormat;
  readonly status?: NonNullable<SubscriptionFilters['status']>;
  readonly country?: string;
}

const help = `${remoteHelp}

"export" takes the token of an admin. It reads 100 subscriptions a request and waits when the API's rate limit
requires it: 6,000 a minute by default. Subscriptions come in the order of their creation; one created during the export
may come at the end.

Examples:
  broadside subscriptions export --app news-k3x9qa --out subscribers.ndjson
  broadside subscriptions export --app news-k3x9qa --format csv --status subscribed > subscribers.csv
  broadside subscriptions show --app news-k3x9qa 4711
  broadside subscriptions show --app news-k3x9qa --user 5c0e4b0e-6f5d-4a1b-9d3c-8e2f7a9b1c46 --json | jq .same_person`;

export function addSubscriptionsCommand(program: Command): void {
  const subscriptions = program
    .command('subscriptions')
    .description('Subscriptions: export, show.')
    .addHelpText('afterAll', help);
  withRemoteOptions(subscriptions.command('export').description('Writes an app’s subscriptions, one a line.'))
    .requiredOption('--app <identifier>', 'the app')
    .option('--out <file>', 'write them there (default: standard output)')
    .addOption(new Option('--format <format>', 'of the output').choices(['ndjson', 'csv']).default('ndjson'))
    .addOption(
      new Option('--status <status>', 'only subscriptions with this status').choices([
        'subscribed',
        'unsubscribed',
      ]),
    )
    .option('--country <code>', 'only this country, two letters')
    .action(exportSubscriptions);
  addShowSubscription(subscriptions);
}

async function exportSubscriptions({ app, out, format, status, country, ...options }: ExportOptions) {
  const progress = createProgress();
  const filters = {
    ...(status === undefined ? {} : { status }),
    ...(country === undefined ? {} : { country }),
  };
  const rows = readSubscriptions(connect(options), app, filters, progress.show);
  const sink = out === undefined ? rowsOut() : createWriteStream(out);
  let written = 0;
  try {
    // Standard output stays open: ending the pipeline would end the process's own stream.
    await pipeline(linesOf(rows, format), countLines, sink, { end: out !== undefined });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`cannot write ${out ?? 'the output'}: ${(error as Error).message}`, { cause: error });
  } finally {
    progress.stop();
  }
  const subscriptions = Math.max(0, written - (format === 'csv' ? 1 : 0));
  if (options.json === true) printNoteJson({ app, subscriptions });
  else printNote(`${counted(subscriptions, 'subscription')} of ${app} written.`);

  async function* countLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const line of lines) {
      written++;
      yield line;
    }
  }
}

/** On stderr: a bar on a terminal, otherwise a line now and then. */
function createProgress() {
  const bar = process.stderr.isTTY
    ? new SingleBar({
        format: 'Exporting [{bar}] {percentage}% | {value} of {total} | {eta_formatted} left',
        stream: process.stderr,
        hideCursor: true,
        etaBuffer: 50,
      })
    : null;
  let started = false;
  let reported = 0;
  return {
    show: (done: number, total: number): void => {
      if (bar !== null) {
        if (!started) bar.start(total, 0);
        started = true;
        bar.update(done);
      } else if (done - reported >= LINES_BETWEEN_REPORTS) {
        reported = done;
        printNote(`${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`);
      }
    },
    stop: (): void => {
      if (started) bar?.stop();
    },
  };
}

const LINES_BETWEEN_REPORTS = 10_000;
