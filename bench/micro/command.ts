import type { Command } from 'commander';
import { outputOf, wholeNumber, withOutput } from '../command-options.ts';
import { libraryOption } from '../encryption/options.ts';

export function addMicroCommand(program: Command): void {
  const command = program
    .command('micro')
    .description(
      'What is done for each message, one by one: encryption by backend, tokens, decoding, outcomes.',
    )
    .option('--rounds <n>', 'in turns; the median counts', wholeNumber, 7)
    .addOption(libraryOption());
  withOutput(command).action(async (options) => {
    const { runMicro } = await import('./main.ts');
    process.exitCode = await runMicro({
      rounds: options.rounds,
      cryptoMbLibrary: options.cryptoMb ?? null,
      output: outputOf(options),
    });
  });
}
