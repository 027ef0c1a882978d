import { breakSource } from './break-source.ts';

/** A build that marks a batch of outcomes done before ClickHouse has it. */
breakSource(
  '/engine/intake/consume-batches.ts',
  'const ending = await insert(record);',
  'await claim.done(record); const ending = await insert(record);',
);
