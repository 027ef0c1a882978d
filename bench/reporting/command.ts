import type { Command } from 'commander';
import { createSay, outputOf, wholeNumber, wholeNumberOrZero, withOutput } from '../command-options.ts';

export function addReportingCommand(program: Command): void {
  const command = program
    .command('reporting')
    .description('Reports over HTTP beside hand-written SQL, and ad statistics from Parquet.')
    .option('--rows <n>', 'rows of ad statistics', wholeNumber, 50_000_000)
    .option('--domains <n>', 'domains that they are of', wholeNumber, 5_000)
    .option('--only <text>', 'of the requests those whose name has the text')
    .option('--rounds <n>', 'counted requests of each; light ones are asked more often', wholeNumber, 10)
    .option('--import-rows <n>', 'rows of the Parquet file; 0: none', wholeNumberOrZero, 2_000_000)
    .option('--job-days <n>', 'days of a job to Parquet by seven dimensions; 0: none', wholeNumberOrZero, 0)
    .addHelpText('after', '\nExample:\n  npm run bench -- reporting --rows 5000000');
  withOutput(command).action(async (options) => {
    const { measureReporting } = await import('./measure.ts');
    const { reportingReport } = await import('./report.ts');
    const { showReport } = await import('../report/show.ts');
    const output = outputOf(options);
    const { rows, domains, only = '', rounds, importRows, jobDays } = options;
    const say = createSay(output);
    const result = await measureReporting({ rows, domains, only, rounds, importRows, jobDays, say });
    await showReport(reportingReport(result), output);
  });
}
