import type { Command } from 'commander';
import { outputOf, wholeNumber, wholeNumberOrZero, withOutput, words } from '../command-options.ts';

export function addTuneCommand(program: Command): void {
  const command = program
    .command('tune')
    .description('Finds the settings to use on this machine, ready for .env.')
    .option('--latency-ms <n>', 'how late the push services answer', wholeNumberOrZero, 50)
    .option('--messages <n>', 'of each delivery', wholeNumber, 20_000)
    .option('--rounds <n>', 'counted deliveries with the same settings', wholeNumber, 3)
    .option('--only <settings>', 'names of settings, separated by commas', words)
    .addHelpText('after', '\nExample:\n  npm run bench -- tune --latency-ms 80');
  withOutput(command).action(async (options) => {
    const { runTune } = await import('./main.ts');
    const { latencyMs, messages, rounds, only = null } = options;
    process.exitCode = await runTune({ latencyMs, messages, rounds, only }, outputOf(options));
  });
}
