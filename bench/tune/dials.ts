import { availableParallelism } from 'node:os';
import { engineSettings } from '../../engine/config.ts';

/** A setting of the engine that is turned. */
export interface Dial {
  /** As .env names it. */
  readonly name: string;
  readonly initial: number;
  readonly values: readonly number[];
}

const defaultOf = ({ schema }: { readonly schema: object }): number => Number(Reflect.get(schema, 'default'));

/**
 * In the order of their likely gain. Push services allow about 100 streams a connection, so more are not tried;
 * MAX_IN_FLIGHT limits the effect of connections and streams, so it comes before them.
 */
export function dialsFor(cores = availableParallelism()): Dial[] {
  const threads = [Math.ceil(cores / 2), cores, cores + 1, cores * 2];
  const settings = engineSettings;
  return [
    dial('WORKER_THREADS', defaultOf(settings.workerThreads), threads),
    dial('MAX_IN_FLIGHT', defaultOf(settings.maxInFlight), [256, 512, 1_024, 2_048]),
    dial('CONNECTIONS_PER_ORIGIN', defaultOf(settings.connectionsPerOrigin), [1, 2, 4]),
    dial('STREAMS_PER_CONNECTION', defaultOf(settings.streamsPerConnection), [25, 50, 100]),
    dial('SHARD_BLOCKS', defaultOf(settings.shardBlocks), [2, 8, 32]),
  ];
}

const dial = (name: string, initial: number, values: readonly number[]): Dial => ({
  name,
  initial,
  values: [...new Set([...values, initial])].sort((a, b) => a - b),
});
