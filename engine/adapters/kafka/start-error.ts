import { explainStart } from './explain.ts';
import type { KafkaSettings } from './options.ts';
import { KafkaRefused } from './refusals.ts';

/** Why the first connection failed: in words where there are any, and as a refusal where waiting does not help. */
export function startError(error: unknown, settings: KafkaSettings): Error {
  if (error instanceof KafkaRefused) return error;
  const explained = explainStart(error, settings);
  if (explained !== null && explained.kind !== 'away') return new KafkaRefused(explained, error);
  const cause = explained === null ? error : new Error(`Kafka: ${explained.line}`);
  return new Error(`Kafka does not answer at ${settings.brokers.join(', ')}`, { cause });
}
