import type { EmailKind } from '../../contract/emails.ts';
import type { MailTexts } from '../alerts/words.ts';
import { mailOf, oneLine } from '../alerts/words.ts';
import type { ClaimedEmail } from './ports.ts';

type Detail = ClaimedEmail['detail'];
const of = (detail: Detail, name: string): string => oneLine(String(detail[name] ?? 'unknown'));

interface Words {
  readonly title: (detail: Detail) => string;
  /** @param link empty in an e-mail without one. */
  readonly lines: (detail: Detail, link: string) => readonly string[];
}

const notYou = 'If that was not you, end the session on your account page and change your password.';

const words: Readonly<Record<EmailKind, Words>> = {
  invitation: {
    title: (detail) => `Join ${of(detail, 'organization')} on Broadside`,
    lines: (detail, link) => [
      `You are invited to ${of(detail, 'organization')} as ${of(detail, 'role')}. Choose a name and a password here:`,
      link,
      'The link works once, for 7 days. If you do not know who invited you, ignore this e-mail.',
      'If another organization has an account for this address that nobody confirmed by e-mail, it ends when you join.',
    ],
  },
  'password-reset': {
    title: () => 'Choose a new password',
    lines: (_, link) => [
      'Somebody asked for a new password of your Broadside account. Choose it here:',
      link,
      'The link works once, for an hour. If that was not you, ignore this e-mail: your password stays as it is.',
    ],
  },
  'new-device': {
    title: () => 'A new browser logged in to your account',
    lines: (detail) => [
      'Somebody logged in to your Broadside account from a browser where you had not logged in before.',
      `Browser: ${of(detail, 'browser')}`,
      `Address: ${of(detail, 'address')}`,
      notYou,
    ],
  },
  'webhook-disabled': {
    title: (detail) => `Webhook ${of(detail, 'webhook')} is disabled`,
    lines: (detail) => [
      `Broadside no longer sends messages to webhook ${of(detail, 'webhook')} (${hostOf(detail)}).`,
      of(detail, 'reason'),
      'Fix the receiver, then enable the webhook again and replay what it missed.',
    ],
  },
  'alert-address': {
    title: (detail) => `May alerts of ${of(detail, 'organization')} come to this mailbox?`,
    lines: (detail, link) => [
      `An admin of ${of(detail, 'organization')} named this mailbox for alerts of Broadside. To let them come, open:`,
      link,
      'The link works once, for 7 days. If you do not know the organization, ignore this e-mail: no test comes.',
    ],
  },
};

/** Its path or query may be a secret of the receiver's. */
const hostOf = (detail: Detail): string => URL.parse(String(detail.url))?.host ?? 'unknown';

export function emailTexts(email: ClaimedEmail, link: string): MailTexts {
  const { title, lines } = words[email.kind];
  return mailOf(title(email.detail), [
    ...lines(email.detail, link),
    `Time: ${email.at.toISOString().slice(0, 19)}Z`,
  ]);
}
