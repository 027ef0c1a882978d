import type { Command } from 'commander';
import { outputOf, wholeNumber, withOutput } from '../command-options.ts';

export function addCapCommand(program: Command): void {
  const command = program
    .command('cap')
    .description(
      'Fixing a block’s audience under one rule of the cap, under three, and with readers’ wishes.',
    )
    .option('--rounds <n>', 'in turns; the median counts', wholeNumber, 21)
    .option('--blocks <n>', 'fixed in each round', wholeNumber, 16);
  withOutput(command).action(async (options) => {
    const { runCapBench } = await import('./main.ts');
    process.exitCode = await runCapBench(options.rounds, options.blocks, outputOf(options));
  });
}
