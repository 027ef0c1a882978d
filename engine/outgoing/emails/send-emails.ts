import { emailContext } from '../../contract/emails.ts';
import { type ClaimStep, createClaimStep } from '../../contract/in-flight.ts';
import { mailProblem } from '../alerts/send-alert.ts';
import { endOf } from '../alerts/send-step.ts';
import type { Answer, SendMail } from '../ports.ts';
import type { ClaimedEmail, EmailStore } from './ports.ts';
import { emailTexts } from './words.ts';

/** In flight at a time: people wait for them, and a mail server limits its clients. */
const AT_ONCE = 8;

export interface SendEmailsDeps {
  readonly store: EmailStore;
  readonly sendMail: SendMail;
  readonly openLink: (sealed: Uint8Array, context: string) => Uint8Array;
  readonly deadlineMs: number;
  /** The e-mail's kind and the answer: never its address or its link. */
  readonly onRefused: (email: Pick<ClaimedEmail, 'id' | 'kind'>, answer: string) => void;
  readonly onError: (error: unknown) => void;
}

export function createSendEmails(deps: SendEmailsDeps): ClaimStep {
  const { store, sendMail, openLink, deadlineMs, onRefused } = deps;
  return createClaimStep<ClaimedEmail>({
    atOnce: AT_ONCE,
    claim: (limit) => store.claim(limit),
    attempt: async (email) => {
      const answer = await send(email);
      if (answer.kind === 'refused') onRefused({ id: email.id, kind: email.kind }, answer.answer);
      await store.note(email, endOf(email.attempt, answer));
    },
    onError: deps.onError,
  });

  async function send(email: ClaimedEmail): Promise<Answer> {
    try {
      const { id, address, linkSealed } = email;
      const link = linkSealed === null ? '' : openLink(linkSealed, emailContext(address)).toString();
      const mail = { id: `letter_${id}`, to: address, ...emailTexts(email, link) };
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
