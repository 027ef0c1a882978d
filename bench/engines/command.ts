import type { Command } from 'commander';
import { outputOf, wholeNumber, wholeNumbers, withOutput } from '../command-options.ts';

export function addEnginesCommand(program: Command): void {
  const command = program
    .command('engines')
    .description(
      'What coordination costs: up to 16 engine processes over one Postgres and Kafka, without encryption and network.',
    )
    .option('--engines <list>', 'numbers of engines, separated by commas', wholeNumbers, [1, 2, 4, 8, 16])
    .option('--subscribers <n>', 'of each of two apps', wholeNumber, 100_000)
    .option('--rounds <n>', 'each number of engines is measured so often, in turns', wholeNumber, 1)
    .addHelpText('after', '\nExample:\n  npm run bench -- engines --engines 1,4 --subscribers 50000');
  withOutput(command).action(async (options) => {
    const { runEngines } = await import('./main.ts');
    process.exitCode = await runEngines({
      engines: options.engines,
      subscribers: options.subscribers,
      rounds: options.rounds,
      output: outputOf(options),
    });
  });
}
