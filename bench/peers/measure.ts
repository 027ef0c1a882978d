import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPushService } from '../../test/support/push-service/start.ts';
import { type PeerRow, peerRows } from './figures.ts';
import { countSampled, VERIFY_ONE_IN } from './prepare-job.ts';
import { runRounds } from './rounds.ts';
import type { Sender, Skipped } from './sender.ts';
import { startSenders } from './start-senders.ts';

export interface PeersOptions {
  /** The messages of each sender per round. */
  readonly messages: number;
  /** Counted ones, after one to warm up. */
  readonly rounds: number;
  /** Which senders, by their names. */
  readonly only: (sender: string) => boolean;
  readonly say: (text: string) => void;
}

export interface PeersEnding {
  readonly rows: readonly PeerRow[];
  /** Not there on this machine. */
  readonly skipped: readonly Skipped[];
  /** Installed, but its messages were wrong. */
  readonly wrong: readonly Skipped[];
}

/** The same messages to the same push service double by everyone, in alternating rounds. */
export async function measurePeers(options: PeersOptions): Promise<PeersEnding> {
  const { messages } = options;
  const folder = await mkdtemp(join(tmpdir(), 'broadside-peers-'));
  options.say('starting the push service double');
  const pushService = await startPushService({
    directory: join(folder, 'push-service'),
    verify: VERIFY_ONE_IN,
    http1: true,
    audienceWithoutPort: true,
  });
  const senders: Sender[] = [];
  try {
    const skipped = await startSenders({ ...options, pushService, folder }, senders);
    const sampled = countSampled(messages);
    const { rounds, wrong } = await runRounds(senders, {
      ...{ pushService, messages, sampled, rounds: options.rounds },
      onRound: options.say,
    });
    return { rows: peerRows(rounds, messages), skipped, wrong };
  } finally {
    for (const sender of senders) await sender.close();
    await pushService.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
