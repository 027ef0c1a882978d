import type { Books } from './books.ts';
import { BLOCKS_IN_FLIGHT } from './crew.ts';
import type { ReaderBook } from './readers.ts';
import { enginesLost, hasStrangers, messagesOf, type Schedule } from './schedule.ts';

const BLOCK = 1_024;

/** The duplicates that the promises allow for a run: each block in flight, and each unknown answer. */
export function duplicatesAllowed(schedule: Schedule, books: Books): number {
  const unknown = books.deliveries.reduce((sum, delivery) => sum + delivery.ambiguous, 0);
  return enginesLost(schedule.faults) * BLOCKS_IN_FLIGHT * BLOCK + unknown;
}

/**
 * The promises of a run, after it is quiet or its patience is over.
 * @returns a sentence for each one that was broken; none where all were kept.
 */
export function brokenPromises(schedule: Schedule, books: Books): string[] {
  const broken: string[] = [];
  const expect = (holds: boolean, sentence: string): void => {
    if (!holds) broken.push(sentence);
  };
  const { deliveries, ledger } = books;
  const { subscribers } = schedule;
  const { correction } = books;
  const created =
    books.sends.flatMap(({ deliveryIds }) => deliveryIds).length + (correction === null ? 0 : 2);
  expect(
    deliveries.length === created,
    `${created} deliveries were accepted, Postgres knows ${deliveries.length}`,
  );
  for (const delivery of deliveries) {
    const { id, status, success_count: success, failed_count: failed, capped_subscribers: capped } = delivery;
    const { total_subscribers: total, clickhouse } = delivery;
    const name = `delivery ${id}`;
    // Strangers' own endpoints fail.
    const isStopped = id === correction?.wrong && status === 'cancelled';
    const ended = isStopped || status === 'success' || (status === 'partial' && hasStrangers(schedule));
    expect(ended, `${name} is ${status}: ${delivery.error_message}`);
    const accounted = success + failed + capped;
    expect(
      isStopped ? total >= accounted : total === accounted,
      `${name}: ${total} ≠ ${success} + ${failed} + ${capped}`,
    );
    expect(
      clickhouse.acceptedSubscribers === success,
      `${name}: ClickHouse knows ${clickhouse.acceptedSubscribers} subscribers served, Postgres ${success}`,
    );
    expect(
      clickhouse.acceptedAttempts === success,
      `${name}: ClickHouse counts ${clickhouse.acceptedAttempts} acceptances, Postgres ${success}`,
    );
    expect(
      clickhouse.failedMessages === failed,
      `${name}: ClickHouse counts ${clickhouse.failedMessages} failures, Postgres ${failed}`,
    );
  }
  for (const { deliveryIds, mostAccepted } of books.sends) {
    const name = `delivery ${deliveryIds.join(' and ')}`;
    const accounted = deliveries
      .filter(({ id }) => deliveryIds.includes(id))
      .reduce((sum, { success_count: success, capped_subscribers: capped }) => {
        return sum + success + (schedule.cap === null ? 0 : capped);
      }, 0);
    expect(
      accounted === subscribers,
      `${name}: ${accounted} of ${subscribers} subscribers are served or capped`,
    );
    expect(mostAccepted <= 1, `${name}: a subscriber is served ${mostAccepted} times`);
  }
  const served = deliveries.reduce((sum, { success_count }) => sum + success_count, 0);
  expect(
    ledger.distinct === served,
    `the push services took ${ledger.distinct} different messages, Postgres says ${served}`,
  );
  const messages = messagesOf(schedule) + messagesCorrected(books);
  expect(served === messages, `${served} messages are counted as accepted, ${messages} should be`);
  if (schedule.cap !== null) {
    expect(books.mostAccepted <= schedule.cap, `the cap of ${schedule.cap} is broken: ${books.mostAccepted}`);
  }
  const allowed = duplicatesAllowed(schedule, books);
  expect(ledger.duplicates <= allowed, `${ledger.duplicates} messages came twice, ${allowed} were allowed`);
  expect(ledger.decryptFailed === 0, `${ledger.decryptFailed} messages could not be decrypted`);
  expect(books.openShards === 0, `${books.openShards} shards are open`);
  if (correction !== null) {
    const { missed, strange, wrong } = correction;
    expect(missed === 0, `the correction of delivery ${wrong} left out ${missed} whom it reached`);
    expect(strange === 0, `the correction of delivery ${wrong} went to ${strange} whom it never reached`);
  }
  broken.push(...books.webhooks.problems);
  expect(books.webhooks.waiting === 0, `${books.webhooks.waiting} webhooks wait`);
  expect(books.outboxRows === 0, `${books.outboxRows} rows are left in the outbox`);
  expect(books.deadLetters === 0, `${books.deadLetters} messages were buried`);
  return broken;
}

/** Those of the delivery that was corrected, and those of its correction. */
export const messagesCorrected = ({ correction }: Books): number =>
  correction === null ? 0 : correction.reached + correction.corrected;

/** Strangers' actions show only in their own rows, and in failures. */
export function brokenByStrangers(
  schedule: Schedule,
  { deliveries }: Books,
  before: ReaderBook,
  after: ReaderBook,
): string[] {
  const most = hasStrangers(schedule) ? after.strangers : 0;
  return [
    ...(after.readers === before.readers ? [] : ['readers’ subscriptions are not what they were']),
    ...(after.provenReactions === 0
      ? []
      : [`${after.provenReactions} reactions are proven, and nobody reacted`]),
    ...deliveries
      .filter(({ failed_count: failed }) => failed > most)
      .map(({ id, failed_count: failed }) => `delivery ${id} failed ${failed}, and strangers are ${most}`),
  ];
}
