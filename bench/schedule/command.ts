import type { Command } from 'commander';
import { wholeNumber } from '../command-options.ts';

export function addScheduleCommand(program: Command): void {
  program
    .command('schedule')
    .description('How late scheduled deliveries are, with several engines running.')
    .option('--engines <n>', 'processes', wholeNumber, 3)
    .option('--deliveries <n>', 'scheduled deliveries', wholeNumber, 60)
    .option('--seconds <n>', 'over which their times are spread', wholeNumber, 20)
    .option('--kafka <brokers>', 'host:port of real Kafka brokers; without it the embedded log')
    .option('--json', 'a JSON line')
    .addHelpText('after', '\nExample:\n  npm run bench -- schedule --engines 3')
    .action(async (options) => {
      const { runScheduleBench } = await import('./main.ts');
      process.exitCode = await runScheduleBench({
        engines: options.engines,
        deliveries: options.deliveries,
        seconds: options.seconds,
        kafkaBrokers: options.kafka ?? null,
        json: options.json === true,
      });
    });
}
