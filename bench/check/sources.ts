import type { PeerRow } from '../peers/figures.ts';
import { yardstick } from '../peers/figures.ts';
import { measurePeers } from '../peers/measure.ts';
import type { Ratios } from './compare.ts';

export interface SourceOptions {
  readonly messages: number;
  readonly rounds: number;
  readonly say: (text: string) => void;
}

/** A measurement whose figures come from one run, so that their ratios mean something. */
export type Source = (options: SourceOptions) => Promise<Ratios>;

/** Further ones are added here; their names must not meet. */
export const sources: readonly Source[] = [fromPeers];

/** Broadside by `web-push` with a keep-alive agent. Other libraries change with their own releases. */
async function fromPeers(options: SourceOptions): Promise<Ratios> {
  const { rows, wrong } = await measurePeers({ ...options, only: isOwnOrYardstick });
  const [first] = wrong;
  if (first !== undefined) throw new Error(`${first.name}: ${first.reason}`);
  return ratiosOf(rows);
}

const isOwnOrYardstick = (name: string): boolean => name === yardstick || name.startsWith('broadside/');

export const ratiosOf = (rows: readonly PeerRow[]): Ratios =>
  Object.fromEntries(
    rows
      .filter(({ sender, ratio }) => sender !== yardstick && ratio !== null)
      .map(({ sender, ratio }) => [`${sender} by ${yardstick}`, ratio as number]),
  );
