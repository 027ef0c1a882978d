import { breakSource } from './break-source.ts';

/** A build whose relay deletes a row and does not wait until the log has it. */
breakSource(
  '/engine/adapters/postgres/relay.ts',
  'await log.publish(topic, rows);',
  'void log.publish(topic, rows).catch(() => {});',
);
