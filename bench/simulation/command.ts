import type { Command } from 'commander';
import { outputOf, wholeNumber, withOutput } from '../command-options.ts';

export function addSimulateCommand(program: Command): void {
  const command = program
    .command('simulate')
    .description(
      'One delivery over many engines on a virtual clock, with the costs that were measured and a push service that throttles.',
    )
    .option('--readers <n>', 'of the delivery', wholeNumber, 100_000_000)
    .option('--engines <n>', 'of four threads each', wholeNumber, 60)
    .option(
      '--throttling-percent <n>',
      'of the readers, those at the push service that throttles',
      wholeNumber,
      75,
    )
    .option('--throttling-rate <n>', 'messages a second that it takes of an app', wholeNumber, 300_000)
    .option(
      '--breaking <n>',
      'readers of a breaking delivery in the middle, of another publisher',
      wholeNumber,
      1_000_000,
    )
    .addHelpText('after', '\nExample:\n  npm run bench -- simulate --out simulation.html');
  withOutput(command).action(async (options) => {
    const { runSimulation } = await import('./main.ts');
    process.exitCode = await runSimulation({
      readers: options.readers,
      engines: options.engines,
      throttlingPercent: options.throttlingPercent,
      throttlingRate: options.throttlingRate,
      breaking: options.breaking,
      output: outputOf(options),
    });
  });
}
