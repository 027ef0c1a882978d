import type { Command } from 'commander';
import { outputOf, wholeNumbers, withOutput } from '../command-options.ts';

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .description('A list of subscriptions through the command that imports it: lines a second.')
    .option(
      '--lines <n,…>',
      'of the list; each size has a Postgres of its own',
      wholeNumbers,
      [100_000, 1_000_000],
    )
    .addHelpText('after', '\nExample:\n  npm run bench -- import --lines 100000');
  withOutput(command).action(async (options) => {
    const { runImportBench } = await import('./main.ts');
    process.exitCode = await runImportBench(options.lines, outputOf(options));
  });
}
