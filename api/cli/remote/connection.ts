import type { Command } from 'commander';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { printNote } from '../../../engine/kit/command-line/terminal.ts';
import { type BroadsideClient, createBroadsideClient } from '../../http-client/client.ts';
import { readConnectionConfig } from '../../settings/config.ts';
import { searchForMissing } from './not-found.ts';

/** Options of every command that speaks to a running API. */
export interface RemoteOptions {
  readonly api?: string;
  readonly json?: boolean;
}

export const withRemoteOptions = (command: Command): Command =>
  command
    .option('--api <url>', 'where the API is (default: BROADSIDE_URL, otherwise http://127.0.0.1:8080)')
    .option('--json', 'print JSON');

export const remoteHelp = `
The token comes from BROADSIDE_TOKEN (the environment or .env); "broadside token create" makes one.`;

/** @throws CliError where there is no token. */
export function connect({ api }: RemoteOptions): BroadsideClient {
  const { broadsideUrl, broadsideToken } = readConnectionConfig(api);
  if (broadsideToken === null) {
    throw new CliError('BROADSIDE_TOKEN is not set: "broadside token create" makes a token');
  }
  return searchForMissing(
    createBroadsideClient({ baseUrl: broadsideUrl, token: broadsideToken, onWait: tellOfWait }),
  );
}

const NOTABLE_WAIT_MS = 2_000;

export function tellOfWait(waitMs: number, why: string): void {
  if (waitMs >= NOTABLE_WAIT_MS) printNote(`${why}: going on in ${Math.ceil(waitMs / 1_000)} s`);
}
