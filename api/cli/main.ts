import { existsSync, readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { endWith } from '../../engine/kit/command-line/endings.ts';
import { commanderOutput, printNote } from '../../engine/kit/command-line/terminal.ts';
import type { BackupParts } from './backup/statistics.ts';
import type { DoctorParts } from './doctor/parts.ts';
import { addLazyCommands, commandNamed, type LazyCommand } from './lazy-commands.ts';
import { misspeltSettings } from './misspelt-settings.ts';
import { addRoleCommands, type RoleRunners } from './roles.ts';

/** The roles' composition roots, loaded when asked for: a token needs no Kafka client. */
const runners: RoleRunners = {
  up: async () => (await import('../up/start.ts')).startUp(),
  api: async () => (await import('../main.ts')).runApi(),
  engine: async () => (await import('../../engine/compose/main.ts')).runEngine(),
  reporting: async () => (await import('../../reporting/main.ts')).runReporting(),
};

const commands: readonly LazyCommand[] = [
  {
    name: 'token',
    description: 'API tokens.',
    add: async (program) => (await import('./token/command.ts')).addTokenCommand(program),
  },
  {
    name: 'report-token',
    description: 'Tokens of the reporting API.',
    add: async (program) => (await import('./report-token/command.ts')).addReportTokenCommand(program),
  },
  {
    name: 'user',
    description: 'Users who may log in.',
    add: async (program) => (await import('./user/command.ts')).addUserCommand(program),
  },
  {
    name: 'revenue',
    description: 'Which organization may see the earnings of which domain, in analytics of its apps.',
    add: async (program) => (await import('./revenue-command.ts')).addRevenueCommand(program),
  },
  {
    name: 'breaking',
    description: 'The rules for an organization’s breaking deliveries.',
    add: async (program) => (await import('./breaking-command.ts')).addBreakingCommand(program),
  },
  {
    name: 'import',
    description: 'Imports data.',
    add: async (program) => (await import('./import/command.ts')).addImportCommand(program),
  },
  {
    name: 'ad-stats',
    description: 'Ad statistics, the data of reports.',
    add: async (program) =>
      (await import('../../reporting/cli/ad-stats/command.ts')).addAdStatsCommand(program),
  },
  {
    name: 'fx',
    description: 'Exchange rates, by which reports convert earnings.',
    add: async (program) => (await import('../../reporting/cli/fx/command.ts')).addFxCommand(program),
  },
  {
    name: 'master-key',
    description: 'The key that seals the private keys of apps: status, new, rotate.',
    add: async (program) => (await import('./master-key/command.ts')).addMasterKeyCommand(program),
  },
  {
    name: 'migrate',
    description: 'Brings Postgres and ClickHouse servers to the tables of this version, and ends.',
    add: async (program) => (await import('./migrate-command.ts')).addMigrateCommand(program),
  },
  {
    name: 'kafka',
    description: 'The Kafka cluster of the settings KAFKA_…: check.',
    add: async (program) => (await import('./kafka-command.ts')).addKafkaCommand(program),
  },
  {
    name: 'doctor',
    description: 'Checks everything that Broadside needs, and says how to fix what is wrong.',
    add: async (program) =>
      (await import('./doctor/command.ts')).addDoctorCommand(program, await doctorParts()),
  },
  {
    name: 'encryption',
    description: 'The library that encrypts fastest: install.',
    add: async (program) =>
      (await import('./encryption/command.ts')).addEncryptionCommand(program, await tryLibrary()),
  },
  {
    name: 'backup',
    description: 'Copies everything that is stored into a folder, while Broadside runs.',
    add: async (program) =>
      (await import('./backup/command.ts')).addBackupCommand(program, version(), await backupParts()),
  },
  {
    name: 'restore',
    description: 'Fills empty databases, or an empty data folder, from a backup.',
    add: async (program) => (await import('./backup/command.ts')).addRestoreCommand(program),
  },
  {
    name: 'send',
    description: 'Sends a notification: creates a delivery.',
    add: async (program) => (await import('./remote/send-command.ts')).addSendCommand(program),
  },
  {
    name: 'deliveries',
    description: 'Deliveries: list, show, trace, watch, change, cancel, correct.',
    add: async (program) => (await import('./remote/deliveries-command.ts')).addDeliveriesCommand(program),
  },
  {
    name: 'campaigns',
    description: 'Campaigns: list, show, create, change, preview, winner, cancel; items of feeds.',
    add: async (program) => (await import('./remote/campaigns/command.ts')).addCampaignsCommand(program),
  },
  {
    name: 'calendar',
    description: 'What was sent, what is scheduled, and what is expected, day by day.',
    add: async (program) => (await import('./remote/calendar-command.ts')).addCalendarCommand(program),
  },
  {
    name: 'approvals',
    description: 'What waits for a second person: list, approve, decline.',
    add: async (program) => (await import('./remote/approvals-command.ts')).addApprovalsCommand(program),
  },
  {
    name: 'drafts',
    description: 'Drafts and templates of a team: list, show, delete.',
    add: async (program) => (await import('./remote/drafts-command.ts')).addDraftsCommand(program),
  },
  {
    name: 'test-browsers',
    description: 'Browsers that a team tries notifications on: list, link, add, remove.',
    add: async (program) =>
      (await import('./remote/test-browsers-command.ts')).addTestBrowsersCommand(program),
  },
  {
    name: 'welcome',
    description: 'What new subscribers get, once each: show, set, off.',
    add: async (program) => (await import('./remote/welcome-command.ts')).addWelcomeCommand(program),
  },
  {
    name: 'webhook',
    description: 'Webhooks: list, show, create, change, delete, rotate, ping, messages, replay.',
    add: async (program) => (await import('./remote/webhooks/command.ts')).addWebhookCommand(program),
  },
  {
    name: 'analytics',
    description: 'Analytics of an app: overview, and by day subscribers, deliveries, engagement, revenue.',
    add: async (program) => (await import('./remote/analytics-command.ts')).addAnalyticsCommand(program),
  },
  {
    name: 'report',
    description: 'Reports what ads earned, by day, domain and other dimensions.',
    add: async (program) => (await import('./remote/report-command.ts')).addReportCommand(program),
  },
  {
    name: 'saved-reports',
    description: 'Reports that the organization keeps by name: list, show, save, run, remove.',
    add: async (program) =>
      (await import('./remote/saved-reports/command.ts')).addSavedReportsCommand(program),
  },
  {
    name: 'report-schedules',
    description:
      'Saved reports that are delivered by themselves: list, add, pause, resume, run, history, remove.',
    add: async (program) =>
      (await import('./remote/report-schedules/command.ts')).addReportSchedulesCommand(program),
  },
  {
    name: 'discrepancies',
    description: 'Compares two sources of ad statistics, by day and domain.',
    add: async (program) => (await import('./remote/explain-commands.ts')).addDiscrepanciesCommand(program),
  },
  {
    name: 'anomalies',
    description: 'Finds unusual earnings of a domain, product and country, by day.',
    add: async (program) => (await import('./remote/explain-commands.ts')).addAnomaliesCommand(program),
  },
  {
    name: 'apps',
    description:
      'Apps: list, show, create, icon, badge, check-iphone, standing, unreachable; export, import and adopt-keys work on the database.',
    add: async (program) => (await import('./remote/apps-command.ts')).addAppsCommand(program),
  },
  {
    name: 'subscriptions',
    description: 'Subscriptions: export, show.',
    add: async (program) => (await import('./remote/export-command.ts')).addSubscriptionsCommand(program),
  },
  {
    name: 'person',
    description: 'What is stored about a person: export, erase, receipt.',
    add: async (program) => (await import('./remote/person-command.ts')).addPersonCommand(program),
  },
  {
    name: 'openapi',
    description: 'Prints the OpenAPI 3.1 text of the API. Needs no running Broadside.',
    add: async (program) => (await import('./openapi-command.ts')).addOpenapiCommand(program),
  },
  {
    name: 'watching',
    description: 'Writes dashboards for Grafana and alert rules for Prometheus. Needs no running Broadside.',
    add: async (program) => (await import('./watching-command.ts')).addWatchingCommand(program),
  },
  {
    name: 'settings',
    description: 'Lists every setting (environment variables, or lines of .env) with its default.',
    add: async (program) =>
      (await import('./settings-command.ts')).addSettingsCommand(program, await readSettingTables()),
  },
  {
    name: 'capacity',
    description: 'What a delivery to a number of readers in a given time needs. Needs no running Broadside.',
    add: async (program) =>
      (await import('./capacity/command.ts')).addCapacityCommand(program, await readEngineDefaults()),
  },
  {
    name: 'completion',
    description: 'Prints a script that completes commands and options in a shell.',
    add: async (program) =>
      (await import('./completion/command.ts')).addCompletionCommand(program, () => createProgram('all')),
  },
];

/** `up` last: for a setting that roles share, its description is the one a newcomer needs. */
async function readSettingTables() {
  const { engineSettings } = await import('../../engine/config.ts');
  const { reportingSettings } = await import('../../reporting/config.ts');
  const { apiSettings, connectionSettings, upSettings } = await import('../settings/config.ts');
  return [apiSettings, engineSettings, reportingSettings, connectionSettings, upSettings];
}

async function readEngineDefaults() {
  const { engineSettings } = await import('../../engine/config.ts');
  const numberOf = ({ schema }: { readonly schema: object }, of: 'default' | 'maximum' = 'default'): number =>
    (schema as Record<typeof of, number>)[of];
  return {
    shardBlocks: numberOf(engineSettings.shardBlocks),
    maxInFlight: numberOf(engineSettings.maxInFlight),
    partitions: numberOf(engineSettings.kafkaPartitions),
    mostPartitions: numberOf(engineSettings.kafkaPartitions, 'maximum'),
  };
}

/** What `doctor` asks of the roles. Encryption loads native code, so it waits until it is asked for. */
async function doctorParts(): Promise<DoctorParts> {
  const { engineSettings, readEngineConfig } = await import('../../engine/config.ts');
  const { chooseEncryption } = await import('../../engine/worker/encryption/choose.ts');
  const { readReportingConfig, reportingSettings, wireFacts } = await import('../../reporting/config.ts');
  const { reachState } = await import('../../reporting/loopback/client.ts');
  const { apiSettings, readApiConfig } = await import('../settings/config.ts');
  const { settingsOrDefaults } = await import('./doctor/surroundings.ts');
  const { adviceOn, findFastLibrary } = await import('../../engine/kit/fast-library/look.ts');
  const { encryptionBackend, cryptoMbLibrary, dataFolder } = engineSettings;
  const { internalHost, internalPort, pushServiceCaFile, databaseReadUrls } = engineSettings;
  const { reportJobsFolder: jobsFolder } = reportingSettings;
  const { publicBaseUrl } = apiSettings;
  const ofEngine = { internalHost, internalPort, pushServiceCaFile, databaseReadUrls };
  const facts = { ...ofEngine, jobsFolder, publicBaseUrl, ...wireFacts };
  const encryption = { encryptionBackend, cryptoMbLibrary, dataFolder };
  return {
    roles: { api: readApiConfig, engine: readEngineConfig, reporting: readReportingConfig },
    readFacts: (environment) => settingsOrDefaults(facts, environment),
    tryEncryption: async (environment) => {
      const chosen = settingsOrDefaults(encryption, environment);
      const found = await findFastLibrary(chosen.dataFolder);
      const path = chosen.cryptoMbLibrary ?? found.path;
      const backend = chooseEncryption({ setting: chosen.encryptionBackend, cryptoMbLibrary: path });
      backend.close();
      return { ...backend, advice: adviceOn(found, chosen, backend.name) };
    },
    reachStatistics: reachState,
    misspelt: (environment) => misspelt(Object.keys(environment)),
  };
}

/** Loads it, as the engine will. */
async function tryLibrary(): Promise<(path: string) => string | null> {
  const { chooseEncryption } = await import('../../engine/worker/encryption/choose.ts');
  return (path) => {
    const backend = chooseEncryption({ setting: 'multibuffer', cryptoMbLibrary: path });
    backend.close();
    return backend.warning;
  };
}

const backupParts = async (): Promise<BackupParts> => ({
  reachCopy: (await import('../../reporting/loopback/client.ts')).reachCopy,
});

/** @param chosen the command that will be run; `all` for a check of the whole tree. */
export async function createProgram(chosen: string | 'all' | null): Promise<Command> {
  const program = new Command('broadside')
    .description('Web push for publishers with millions of subscribers.')
    .version(version(), '-V, --version')
    .showHelpAfterError('(see broadside --help)')
    .configureOutput(commanderOutput)
    .exitOverride();
  addRoleCommands(program, runners);
  await addLazyCommands(program, commands, chosen);
  await addDemo(program);
  program.hook('preAction', (_program, action) => nameMisspeltSettings(action));
  return program;
}

async function addDemo(program: Command): Promise<void> {
  const { addDemoCommand, refuseDemoCommand } = await import('./demo-command.ts');
  if (existsSync(new URL('../../bench/demo/main.ts', import.meta.url))) {
    addDemoCommand(program, async (request) => (await import('../../bench/demo/main.ts')).runDemo(request));
  } else refuseDemoCommand(program);
}

const version = (): string =>
  (
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      readonly version: string;
    }
  ).version;

/** What needs no settings: their output must not depend on them, nor wait for them. */
const withoutSettings: ReadonlySet<string> = new Set([
  ...['openapi', 'completion', 'settings', 'watching', 'capacity'],
  // It says so among its findings.
  'doctor',
]);
/** Of docker-compose.yml alone. */
const composeNames = ['POSTGRES_PASSWORD'];

async function nameMisspeltSettings(action: Command): Promise<void> {
  if (withoutSettings.has(action.name())) return;
  const { readEnvironment } = await import('../settings/config.ts');
  for (const line of await misspelt(Object.keys(readEnvironment()))) printNote(`broadside: ${line}`);
}

async function misspelt(names: readonly string[]): Promise<string[]> {
  const tables = await readSettingTables();
  const { variablesOf } = await import('../../engine/contract/settings/settings.ts');
  return misspeltSettings(names, [...tables.flatMap(variablesOf), ...composeNames]);
}

/** The command line. Ends with 0, or with 1 after one clear line; 2 where the command itself was wrong. */
export async function runCli(argv: readonly string[]): Promise<void> {
  try {
    const program = await createProgram(commandNamed(argv.slice(2)));
    await program.parseAsync(argv as string[]);
  } catch (error) {
    // Commander has printed its own message; help and version end with 0.
    process.exitCode = error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : endWith(error);
  }
}
