import { createTransport } from 'nodemailer';

export interface Email {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly Attachment[];
}

export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export interface MailSettings {
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
}

/**
 * Sends e-mails over SMTP, each on a connection of its own. Null where the settings are missing.
 * @returns a function that rejects where the server is unavailable, silent past the deadline, or refuses.
 */
export function createMailer({ smtpUrl, mailFrom }: MailSettings) {
  if (smtpUrl === null || mailFrom === null) return null;
  return async function sendMail(email: Email, deadlineMs: number): Promise<string> {
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: deadlineMs,
      greetingTimeout: deadlineMs,
      socketTimeout: deadlineMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const timer = setTimeout(() => transport.close(), deadlineMs);
    try {
      const { response } = await transport.sendMail({
        from: mailFrom,
        // As an object: a text would be parsed as a list of addresses.
        to: { name: '', address: email.to },
        messageId: `<${email.id}@${domainOf(mailFrom)}>`,
        subject: email.subject,
        text: email.text,
        html: email.html,
        attachments: [...(email.attachments ?? [])],
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return `the mail server took it: ${response}`.slice(0, MAX_ANSWER);
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  };
}

const MAX_ANSWER = 200;
const domainOf = (from: string): string => /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
