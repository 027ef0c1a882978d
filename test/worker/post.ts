import { expect } from 'vitest';
import { type Failure, failures } from '../../engine/contract/outcome.ts';
import type { PushAnswer } from '../../engine/worker/push-answer.ts';
import type { PushClient } from '../../engine/worker/push-client.ts';

/** Posts `count` messages at once, each body with its number. @returns the answers, in the order of the messages. */
export async function post(
  client: PushClient,
  origin: string,
  count: number,
  text = 'body',
): Promise<PushAnswer[]> {
  const answers: PushAnswer[] = [];
  let left = count;
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = {
    answered(index: number, answer: PushAnswer) {
      expect(answers[index], `message ${index} is answered once`).toBeUndefined();
      answers[index] = answer;
      left--;
      if (left === 0) resolve();
    },
  };
  const headers = ['ttl', '60'];
  for (let index = 0; index < count; index++) {
    client.post(
      { origin, path: `/push/${index}`, headers, body: Buffer.from(`${text} ${index}`), index },
      listener,
    );
  }
  await promise;
  return answers;
}

export const statusesOf = (answers: readonly PushAnswer[]) => [
  ...new Set(answers.map(({ status }) => status)),
];
export const failureNames = (answers: readonly PushAnswer[]): (Failure | undefined)[] => [
  ...new Set(answers.map(({ failure }) => failures[failure])),
];
