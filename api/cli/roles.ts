import type { Command } from 'commander';
import { isDatabaseAway } from '../../engine/adapters/postgres/database-away.ts';
import { SettingsError } from '../../engine/contract/settings/settings-error.ts';
import { CliError } from '../../engine/kit/command-line/endings.ts';

const roles = {
  up: 'Runs every role in one process, with an embedded Postgres and ClickHouse where none is configured.',
  api: 'Runs the HTTP API.',
  engine: 'Runs the engine: plans, sends, records. Any number may run side by side.',
  reporting: 'Runs the reporting API.',
} as const;

const settingsNote = '\nSettings come from the environment and .env: broadside settings lists them.';
const examples: Readonly<Record<keyof typeof roles, readonly string[]>> = {
  up: ['broadside up', 'API_PORT=9080 DATA_FOLDER=/srv/push broadside up'],
  api: ['broadside api'],
  engine: ['broadside engine', 'WORKER_THREADS=2 broadside engine'],
  reporting: ['broadside reporting'],
};

export type RoleName = keyof typeof roles;

/** Runs a role until the process is stopped; resolves then, rejects where it cannot start. */
export type RoleRunners = Readonly<Partial<Record<RoleName, () => Promise<void>>>>;

export function addRoleCommands(program: Command, runners: RoleRunners): void {
  for (const name of Object.keys(roles) as RoleName[]) {
    program
      .command(name)
      .description(roles[name])
      .addHelpText('after', `${settingsNote}\n\nExamples:\n  ${examples[name].join('\n  ')}`)
      .action(async () => {
        const run = runners[name];
        if (run === undefined) throw new CliError(`the role ${name} is not part of this build`);
        await run().catch((error) => {
          throw refusalToStart(error);
        });
      });
  }
}

/** The operator has to resolve whatever kept a role from starting: one line; the stack for debugging. */
export function refusalToStart(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SettingsError || isDatabaseAway(error)) return error;
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE') {
    return new CliError(
      `${address}:${port} is in use by another program: stop that one, or set another port (broadside settings lists them)`,
    );
  }
  const cause = error.cause instanceof Error ? ` (${error.cause.message.split('\n')[0]})` : '';
  return new CliError(`${error.message}${cause}`, { cause: error });
}
