import { channelContext } from '../../contract/alerts.ts';
import type { PublicAddresses } from '../../network/public-addresses.ts';
import type { Answer, ClaimedSend, SendMail } from '../ports.ts';
import { postOnce } from '../post.ts';
import { signMessage } from '../sign.ts';
import { mailTexts, messageId, slackBody, webhookBody } from './words.ts';

export interface SendAlertDeps {
  readonly addresses: PublicAddresses;
  readonly openSecret: (sealed: Uint8Array, context: string) => Uint8Array;
  /** Null: SMTP_URL and MAIL_FROM are not set. */
  readonly sendMail: SendMail | null;
  readonly nowMs: () => number;
  readonly deadlineMs: number;
}

export type SendAlert = (send: ClaimedSend) => Promise<Answer>;

/** One attempt. Rejects only where a secret does not open. */
export function createSendAlert(deps: SendAlertDeps): SendAlert {
  const { addresses, deadlineMs } = deps;

  return function sendAlert(send) {
    if (send.channelKind === 'email') return mail(send);
    return send.channelKind === 'slack' ? slack(send) : webhook(send);
  };

  async function mail(send: ClaimedSend): Promise<Answer> {
    if (deps.sendMail === null) return refuse('SMTP_URL and MAIL_FROM are not set on the engine');
    try {
      const email = { id: messageId(send), to: send.address, ...mailTexts(send) };
      return { kind: 'taken', answer: await deps.sendMail(email, deadlineMs) };
    } catch (error) {
      return refuse(mailProblem(error));
    }
  }

  async function slack(send: ClaimedSend): Promise<Answer> {
    const post = { url: secretOf(send).toString(), headers: {}, body: slackBody(send) };
    return postOnce(addresses, post, deadlineMs);
  }

  /** Signed by Standard Webhooks: the time is that of the attempt, the id that of the send. */
  async function webhook(send: ClaimedSend): Promise<Answer> {
    const at = new Date(deps.nowMs());
    const body = webhookBody(send);
    const headers = {
      'webhook-id': messageId(send),
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': signMessage(secretOf(send), messageId(send), at, body),
    };
    return postOnce(addresses, { url: send.address, headers, body }, deadlineMs);
  }

  function secretOf({ channelId, secretSealed }: ClaimedSend): Buffer {
    return Buffer.from(deps.openSecret(secretSealed ?? new Uint8Array(), channelContext(channelId)));
  }
}

const refuse = (answer: string): Answer => ({ kind: 'refused', answer, forGood: false });

/** The code alone: an error's text names the operator's server, which is not business of an organization's. */
export function mailProblem(error: unknown): string {
  const { responseCode } = error as { readonly responseCode?: unknown };
  return typeof responseCode === 'number'
    ? `the mail server answered ${responseCode}`
    : 'the mail server could not be reached';
}
