import type { Command } from 'commander';
import { wholeNumber } from '../command-options.ts';

export function addNeighboursCommand(program: Command): void {
  program
    .command('neighbours')
    .description('What a greedy organization does to another one, and to browsers that subscribe.')
    .option('--subscribers <n>', 'of each of the two apps', wholeNumber, 200_000)
    .option('--rounds <n>', 'pairs of measurements, alone and beside', wholeNumber, 3)
    .option('--seconds <n>', 'of each measurement', wholeNumber, 60)
    .option('--users <n>', 'of the greedy organization', wholeNumber, 5)
    .option('--json', 'a JSON line')
    .addHelpText('after', '\nExample:\n  npm run bench -- neighbours --subscribers 50000 --seconds 20')
    .action(async (options) => {
      const { runNeighboursBench } = await import('./main.ts');
      process.exitCode = await runNeighboursBench({
        subscribers: options.subscribers,
        rounds: options.rounds,
        seconds: options.seconds,
        users: options.users,
        json: options.json === true,
      });
    });
}
