import type { Command } from 'commander';
import { outputOf, wholeNumber, wholeNumbers, withOutput } from '../command-options.ts';

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
    .option('--parts', 'what of a line costs Postgres what, and what building indexes once would cost')
    .option('--rounds <n>', 'of the parts', wholeNumber, 3)
    .addHelpText(
      'after',
      '\nExamples:\n  npm run bench -- import --lines 100000\n  npm run bench -- import --parts --lines 100000',
    );
  withOutput(command).action(async (options) => {
    const { runImportBench, runPartsBench } = await import('./main.ts');
    const { lines, parts, rounds } = options;
    process.exitCode = parts
      ? await runPartsBench(lines, rounds, outputOf(options))
      : await runImportBench(lines, outputOf(options));
  });
}
