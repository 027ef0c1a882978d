import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PushServiceDouble } from '../../test/support/push-service/start.ts';
import { namedOf } from '../command-options.ts';
import { encryptionBackends } from './backends.ts';
import { startBroadsideSender } from './broadside-sender.ts';
import { startPeerProcess } from './peer-process.ts';
import { prepareJob } from './prepare-job.ts';
import type { Sender, Skipped } from './sender.ts';
import { type Built, buildPeer, type Command, toolchains } from './toolchains.ts';

export interface StartOptions {
  readonly pushService: PushServiceDouble;
  readonly messages: number;
  /** Which senders, by their names. */
  readonly only: (sender: string) => boolean;
  /** For the job of the peers. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

const nodeSender = fileURLToPath(new URL('./web-push/sender.ts', import.meta.url));
const nodeModes: Readonly<Record<string, string>> = {
  'web-push': 'readme',
  'web-push/keep-alive': 'keep-alive',
};

/** @throws Error where a name that `--only` gives is none. */
export function senderNames(given: readonly string[] | undefined): (sender: string) => boolean {
  const known = [
    ...encryptionBackends().map(({ name }) => `broadside/${name}`),
    ...Object.keys(nodeModes),
    ...toolchains.map(({ sender }) => sender),
  ];
  return namedOf(known, given);
}

/** @param senders takes each as soon as it runs, so that it is closed whatever happens to the next one. */
export async function startSenders(options: StartOptions, senders: Sender[]): Promise<Skipped[]> {
  const skipped: Skipped[] = [];
  const take = (one: Sender | Skipped): void => {
    if ('reason' in one) skipped.push(one);
    else senders.push(one);
  };

  // Before anything is started: a compiler would take the processors from what is measured.
  const peers = new Map<string, Built>();
  for (const toolchain of toolchains)
    if (options.only(toolchain.sender)) peers.set(toolchain.sender, await buildPeer(toolchain, options.say));
  for (const backend of encryptionBackends()) {
    if (!options.only(`broadside/${backend.name}`)) continue;
    take(await startBroadsideSender({ ...options, backend, onStep: options.say }));
  }
  // The other senders then send the same payload.
  await senders[0]?.send();
  const job = join(options.folder, 'job.json');
  await prepareJob(options.pushService, options.messages, job);
  const { caFile } = options.pushService;
  const start = (name: string, command: Command, more: string[] = []): Promise<Sender | Skipped> =>
    startPeerProcess({ name, command, args: [job, ...more], caFile }).catch((error: Error) => ({
      name,
      reason: error.message,
    }));

  for (const [name, mode] of Object.entries(nodeModes)) {
    if (options.only(name)) take(await start(name, [process.execPath, nodeSender], [mode]));
  }
  for (const [name, peer] of peers)
    take(peer.kind === 'absent' ? { name, reason: peer.reason } : await start(name, peer.command));
  return skipped;
}
