import type { Command } from 'commander';
import { outputOf, wholeNumber, withOutput } from '../command-options.ts';

export function addReplicasCommand(program: Command): void {
  const command = program
    .command('replicas')
    .description('What an engine costs its primary when it reads targets from streaming replicas.')
    .option('--replicas <n>', 'how many', wholeNumber, 2)
    .option('--subscribers <n>', 'of the app', wholeNumber, 200_000)
    .option('--rounds <n>', 'with and without replicas, in turns', wholeNumber, 3)
    .addHelpText('after', '\nExample:\n  npm run bench -- replicas --subscribers 50000 --rounds 1');
  withOutput(command).action(async (options) => {
    const { runReplicas } = await import('./main.ts');
    const { replicas, subscribers, rounds } = options;
    process.exitCode = await runReplicas({ replicas, subscribers, rounds, output: outputOf(options) });
  });
}
