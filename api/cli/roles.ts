import type { Command } from 'commander';
import { CliError } from './endings.ts';

const roles = {
  up: 'Runs every role in one process, with an embedded Postgres and ClickHouse where none is configured.',
  api: 'Runs the HTTP API.',
  engine: 'Runs the engine: plans, sends, records. Any number may run side by side.',
  reporting: 'Runs the reporting API.',
} as const;

export type RoleName = keyof typeof roles;

/** Runs a role until the process is told to stop; resolves then, rejects where it cannot start. */
export type RoleRunners = Readonly<Partial<Record<RoleName, () => Promise<void>>>>;

export function addRoleCommands(program: Command, runners: RoleRunners): void {
  for (const name of Object.keys(roles) as RoleName[]) {
    program
      .command(name)
      .description(roles[name])
      .addHelpText('after', '\nSettings come from the environment and .env: broadside settings lists them.')
      .action(async () => {
        const run = runners[name];
        if (run === undefined) throw new CliError(`the role ${name} is not part of this build`);
        await run();
      });
  }
}
