import { describe } from 'vitest';
import { kafkaAvailability } from './libraries.ts';

/**
 * A suite that needs a broker. Where the machine cannot run one it is skipped and says why, unless
 * REQUIRE_KAFKA=1 (CI): then it fails.
 */
export function describeKafka(name: string, suite: () => void): void {
  const availability = kafkaAvailability();
  if (availability.available) return void describe(name, suite);
  if (process.env.REQUIRE_KAFKA === '1') throw new Error(availability.reason);
  console.warn(`SKIPPED, Kafka is not tested here: ${availability.reason}`);
  describe.skip(name, suite);
}
