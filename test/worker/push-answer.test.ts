// tier: unit
import { describe, expect, it } from 'vitest';
import { failures } from '../../engine/contract/outcome.ts';
import { Answer, type PushAnswer } from '../../engine/worker/push-answer.ts';

const request = { origin: 'https://push.example', path: '/1', headers: [], body: Buffer.from('x'), index: 7 };

/** A message on its way. @returns its endings, and how often it was to be sent again. */
function start() {
  const endings: { index: number; status: number; text: string; failure: string | undefined }[] = [];
  let again = 0;
  const listener = {
    answered: (index: number, { status, text, failure }: PushAnswer) =>
      void endings.push({ index, status, text, failure: failures[failure] }),
  };
  const answer = new Answer(request, listener, () => void again++);
  return { answer, endings, again: () => again };
}

describe('a request’s failure', () => {
  it('is reported once, with the first piece of a refusal’s body', () => {
    const { answer, endings } = start();
    answer.onStatus(403, null);
    expect(endings).toEqual([]);
    answer.onBody(Buffer.from('who are you?'));
    answer.onBody(Buffer.from(' go away'));
    answer.onEnd();
    answer.onFailure('unknown', 'CANCEL');
    expect(endings).toEqual([{ index: 7, status: 403, text: 'who are you?', failure: 'answered' }]);
  });

  it('is an answer where the status came and its body did not', () => {
    const { answer, endings } = start();
    answer.onStatus(500, null);
    answer.onFailure('unknown', 'INTERNAL_ERROR');
    expect(endings).toEqual([{ index: 7, status: 500, text: '', failure: 'answered' }]);
  });

  it.each(['REFUSED_STREAM', 'GOAWAY_NO_ERROR'])('outlives ten of %s, and not any number of them', (why) => {
    const { answer, endings, again } = start();
    for (let refusal = 0; refusal < 10; refusal++) answer.onRefused(why);
    expect([again(), endings]).toEqual([10, []]);
    answer.onRefused(why);
    expect(again()).toBe(10);
    expect(endings).toMatchObject([{ index: 7, status: 0, text: why, failure: 'refused' }]);
  });
});
