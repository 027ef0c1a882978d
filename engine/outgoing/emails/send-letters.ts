import { type ClaimStep, createClaimStep } from '../../contract/in-flight.ts';
import { letterContext } from '../../contract/letters.ts';
import { mailProblem } from '../alerts/send-alert.ts';
import { endOf } from '../alerts/send-step.ts';
import type { Answer, SendMail } from '../ports.ts';
import type { ClaimedLetter, LetterStore } from './ports.ts';
import { letterTexts } from './words.ts';

/** In flight at a time: people wait for them, and a mail server limits its clients. */
const AT_ONCE = 8;

export interface SendLettersDeps {
  readonly store: LetterStore;
  readonly sendMail: SendMail;
  readonly openLink: (sealed: Uint8Array, context: string) => Uint8Array;
  readonly deadlineMs: number;
  /** The letter's kind and the answer: never its address or its link. */
  readonly onRefused: (letter: Pick<ClaimedLetter, 'id' | 'kind'>, answer: string) => void;
  readonly onError: (error: unknown) => void;
}

export function createSendLetters(deps: SendLettersDeps): ClaimStep {
  const { store, sendMail, openLink, deadlineMs, onRefused } = deps;
  return createClaimStep<ClaimedLetter>({
    atOnce: AT_ONCE,
    claim: (limit) => store.claim(limit),
    attempt: async (letter) => {
      const answer = await send(letter);
      if (answer.kind === 'refused') onRefused({ id: letter.id, kind: letter.kind }, answer.answer);
      await store.note(letter, endOf(letter.attempt, answer));
    },
    onError: deps.onError,
  });

  async function send(letter: ClaimedLetter): Promise<Answer> {
    try {
      const { id, address, linkSealed } = letter;
      const link = linkSealed === null ? '' : openLink(linkSealed, letterContext(address)).toString();
      const mail = { id: `letter_${id}`, to: address, ...letterTexts(letter, link) };
      return { kind: 'taken', answer: await sendMail(mail, deadlineMs) };
    } catch (error) {
      return { kind: 'refused', answer: mailProblem(error), forGood: isForGood(error) };
    }
  }
}

/** RFC 5321, 4.2.1: a reply of 5xx will not change; but 500 to 504 and 530 to 535 are about us, not the recipient. */
function isForGood(error: unknown): boolean {
  const { responseCode } = error as { readonly responseCode?: unknown };
  return typeof responseCode === 'number' && responseCode >= 550 && responseCode < 560;
}
