import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { PeerAnswer } from './protocol.ts';
import type { Sender } from './sender.ts';
import type { Command } from './toolchains.ts';

export interface PeerProcessOptions {
  readonly name: string;
  readonly command: Command;
  /** The path of its `PeerJob` first. */
  readonly args: readonly string[];
  /** PEM of the authority that the push service double's certificate is from. */
  readonly caFile: string;
}

const MAX_ERROR_CHARACTERS = 2_000;

/**
 * Another library in a process of its own, that follows `protocol.ts`.
 * @throws Error with its output, where it ends before it is ready.
 */
export async function startPeerProcess(options: PeerProcessOptions): Promise<Sender> {
  const [file, ...args] = options.command;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(file, [...args, ...options.args], {
    env: { PATH, HOME, NODE_EXTRA_CA_CERTS: options.caFile, SSL_CERT_FILE: options.caFile },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-MAX_ERROR_CHARACTERS);
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`${options.name} ended (${code}): ${said.trim()}`)));
  });
  ended.catch(() => {});
  const lines = createInterface({ input: child.stdout });
  const nextLine = async (): Promise<unknown> => {
    const [line] = await Promise.race([once(lines, 'line'), ended]);
    return JSON.parse(String(line));
  };
  await nextLine();

  return {
    name: options.name,
    async send() {
      const startedAt = performance.now();
      const answer = nextLine();
      child.stdin.write('go\n');
      const { failed, error, cpu_us: cpuUs } = (await answer) as PeerAnswer;
      const seconds = (performance.now() - startedAt) / 1_000;
      const problem = failed === 0 ? null : `${failed} messages failed, the first with: ${error}`;
      return { cpuUs, seconds, databaseUs: null, problem };
    },
    async close() {
      child.stdin.end();
      await ended.catch(() => {});
    },
  };
}
