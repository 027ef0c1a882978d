import type { Command } from 'commander';
import { outputOf, wholeNumber, withOutput } from '../command-options.ts';
import { libraryOption } from '../encryption/options.ts';

export function addCostsCommand(program: Command): void {
  const command = program
    .command('costs')
    .description(
      'What a message costs in each part, as broadside capacity computes with, and whether its forecast holds here.',
    )
    .option(
      '--subscribers <n>',
      'of the small app; the large one has three times as many',
      wholeNumber,
      60_000,
    )
    .option('--rounds <n>', 'counted deliveries to each, in turns', wholeNumber, 3)
    .option('--write', 'keep the costs with the release: api/cli/capacity/measured-costs.json')
    .addOption(libraryOption())
    .addHelpText('after', '\nExample:\n  npm run bench -- costs --subscribers 100000 --write');
  withOutput(command).action(async (options) => {
    const { runCosts } = await import('./main.ts');
    process.exitCode = await runCosts({
      subscribers: options.subscribers,
      rounds: options.rounds,
      write: options.write === true,
      cryptoMbLibrary: options.cryptoMb ?? null,
      output: outputOf(options),
    });
  });
}
