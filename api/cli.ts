import { Command, CommanderError } from 'commander';
import { engineSettings } from '../engine/config.ts';
import { reportingSettings } from '../reporting/config.ts';
import { addAdStatsCommand } from './cli/ad-stats/command.ts';
import { addBreakingCommand } from './cli/breaking-command.ts';
import { addDemoCommand } from './cli/demo-command.ts';
import { endWith } from './cli/endings.ts';
import { addFxCommand } from './cli/fx/command.ts';
import { addImportCommand } from './cli/import/command.ts';
import { addMasterKeyCommand } from './cli/master-key-command.ts';
import { addOpenapiCommand } from './cli/openapi-command.ts';
import { addAppsCommand } from './cli/remote/apps-command.ts';
import { addDeliveriesCommand } from './cli/remote/deliveries-command.ts';
import { addSubscriptionsCommand } from './cli/remote/export-command.ts';
import { addSendCommand } from './cli/remote/send-command.ts';
import { addReportTokenCommand } from './cli/report-token/command.ts';
import { addRevenueCommand } from './cli/revenue-command.ts';
import { addRoleCommands, type RoleRunners } from './cli/roles.ts';
import { addSettingsCommand } from './cli/settings-command.ts';
import { addTokenCommand } from './cli/token-command.ts';
import { addUserCommand } from './cli/user-command.ts';
import { apiSettings, connectionSettings, upSettings } from './config.ts';

/** The roles' composition roots, loaded when asked for: a token needs no Kafka client. */
const runners: RoleRunners = {
  up: async () => (await import('./up.ts')).runUp(),
  api: async () => (await import('./main.ts')).runApi(),
  engine: async () => (await import('../engine/main.ts')).runEngine(),
  reporting: async () => (await import('../reporting/main.ts')).runReporting(),
};

/** The command line. Ends with 0, or with 1 after one clear line; 2 where the command itself was wrong. */
export async function runCli(argv: readonly string[]): Promise<void> {
  const program = new Command('broadside')
    .description('Web push for publishers with millions of subscribers.')
    .showHelpAfterError('(broadside --help tells more)')
    .exitOverride();
  addRoleCommands(program, runners);
  addTokenCommand(program);
  addReportTokenCommand(program);
  addUserCommand(program);
  addRevenueCommand(program);
  addBreakingCommand(program);
  addImportCommand(program);
  addAdStatsCommand(program);
  addFxCommand(program);
  addMasterKeyCommand(program);
  addSendCommand(program);
  addDeliveriesCommand(program);
  addAppsCommand(program);
  addSubscriptionsCommand(program);
  addOpenapiCommand(program);
  addDemoCommand(program, async (request) => (await import('../bench/demo/main.ts')).runDemo(request));
  // `up` last: what it says of a setting that roles share is what a newcomer needs.
  addSettingsCommand(program, [
    apiSettings,
    engineSettings,
    reportingSettings,
    connectionSettings,
    upSettings,
  ]);
  try {
    await program.parseAsync(argv as string[]);
  } catch (error) {
    // Commander has printed its own message; help and version end with 0.
    process.exitCode = error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : endWith(error);
  }
}
