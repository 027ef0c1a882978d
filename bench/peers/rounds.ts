import type { LedgerTotals } from '../../test/support/push-service/ledger-run.ts';
import type { PushServiceDouble } from '../../test/support/push-service/start.ts';
import type { Sender, Sent, Skipped } from './sender.ts';

export interface Round extends Sent {
  /** Of the double, which is not a sender's own. */
  readonly doubleUs: number;
}

export interface RoundsDeps {
  readonly pushService: PushServiceDouble;
  readonly messages: number;
  /** How many of them the double decrypts. */
  readonly sampled: number;
  readonly rounds: number;
  readonly onRound: (text: string) => void;
}

export interface RoundsEnding {
  readonly rounds: ReadonlyMap<string, readonly Round[]>;
  /** Senders whose messages were wrong: they have no figures. */
  readonly wrong: readonly Skipped[];
}

/**
 * Each sender once to warm up, then all in turn, each round beginning with another one: other load of the
 * machine affects all alike.
 */
export async function runRounds(senders: readonly Sender[], deps: RoundsDeps): Promise<RoundsEnding> {
  const rounds = new Map<string, Round[]>(senders.map(({ name }) => [name, []]));
  const wrong: Skipped[] = [];
  for (let number = 0; number <= deps.rounds; number++) {
    const round = number === 0 ? 'warming up' : `round ${number} of ${deps.rounds}`;
    for (const sender of rotated(senders, number)) {
      if (!rounds.has(sender.name)) continue;
      deps.onRound(`${round}: ${sender.name}`);
      const one = await runOne(sender, deps);
      if ('reason' in one) {
        rounds.delete(sender.name);
        wrong.push(one);
      } else if (number > 0) rounds.get(sender.name)?.push(one);
    }
  }
  return { rounds, wrong };
}

const rotated = <One>(all: readonly One[], by: number): One[] =>
  all.map((_, at) => all[(at + by) % all.length] as One);

async function runOne(sender: Sender, deps: RoundsDeps): Promise<Round | Skipped> {
  const { pushService } = deps;
  await pushService.mark(sender.name);
  const before = await pushService.cpuUs();
  const sent = await sender.send();
  const doubleUs = (await pushService.cpuUs()) - before;
  const problem = sent.problem ?? problemOf(await pushService.ledger(), deps);
  return problem === null ? { ...sent, doubleUs } : { name: sender.name, reason: problem };
}

/** Fast and wrong is not a figure: every subscription got one message, and the sampled ones could be decrypted. */
export function problemOf(
  ledger: LedgerTotals,
  { messages, sampled }: Pick<RoundsDeps, 'messages' | 'sampled'>,
): string | null {
  const { distinct, duplicates, decrypted, decryptFailed, keysReused } = ledger;
  if (distinct !== messages) return `${distinct} of ${messages} messages were accepted`;
  if (duplicates > 0) return `${duplicates} messages came twice`;
  if (decryptFailed > 0) return `${decryptFailed} messages cannot be decrypted`;
  if (decrypted !== sampled) return `${decrypted} messages were decrypted, ${sampled} should have been`;
  return keysReused > 0 ? `${keysReused} messages were encrypted with a key used before` : null;
}
