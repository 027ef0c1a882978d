import { join } from 'node:path';
import type { Command } from 'commander';
import { CliError } from '../../engine/kit/command-line/endings.ts';
import { print } from '../../engine/kit/command-line/terminal.ts';
import { writeTextFile } from '../../engine/kit/command-line/write-text-file.ts';
import { watchingFiles } from '../../engine/kit/monitoring/files.ts';

const examples = `
Examples:
  broadside watching --out watching
  broadside watching --out /etc/broadside/watching --docs https://push.example.com/docs`;

interface Options {
  readonly out: string;
  readonly docs: string;
}

/** For an operator with Prometheus and Grafana. Everything is made from the register of this very release. */
export function addWatchingCommand(program: Command): void {
  program
    .command('watching')
    .description('Writes dashboards for Grafana and alert rules for Prometheus. Needs no running Broadside.')
    .requiredOption('--out <folder>', 'write them there; files of the same name are replaced')
    .option('--docs <url>', 'where your API serves /docs: alerts link there', 'http://127.0.0.1:8080/docs')
    .addHelpText('after', examples)
    .action(async ({ out, docs }: Options) => {
      if (!/^https?:\/\/[^\s"]+$/.test(docs)) throw new CliError(`${docs} is not an address of a page`);
      for (const { name, text } of watchingFiles(docs.replace(/\/$/, ''))) {
        const file = join(out, name);
        await writeTextFile(file, text);
        print(file);
      }
    });
}
