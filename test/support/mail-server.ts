import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Mailed {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

export interface MailServer {
  readonly url: string;
  readonly mails: Mailed[];
  /** What the server answers to each recipient from now on; null takes them. */
  refuseWith(code: number | null): void;
  close(): Promise<void>;
}

/** A real SMTP server on a loopback address. */
export async function mailServer(): Promise<MailServer> {
  const mails: Mailed[] = [];
  let refusal: number | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      done(refusal === null ? null : Object.assign(new Error('no'), { responseCode: refusal }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuseWith: (code) => {
      refusal = code;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The plain text of a mail, its soft line breaks joined. */
export function textOf({ raw }: Mailed): string {
  const [, text = ''] = raw.split('Content-Type: text/');
  const joined = text.replaceAll('=\r\n', '');
  return /quoted-printable/i.test(text)
    ? joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}
