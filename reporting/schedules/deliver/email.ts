import { buffer } from 'node:stream/consumers';
import type { Attachment, Email } from '../../../engine/adapters/mail/mailer.ts';
import { noteDeliveredTo } from '../../../engine/adapters/postgres/report-schedules/runs.ts';
import { colleaguesAmong } from '../../../engine/adapters/postgres/report-schedules/schedules.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { counted } from '../../../engine/contract/counted.ts';
import { openPart } from '../../jobs/part-file.ts';
import type { ResultStore } from '../../jobs/store/store.ts';
import { again, type Deliver, type Delivery } from './ports.ts';

export interface EmailDeps {
  readonly sql: Sql;
  readonly sendMail: (mail: Email, deadlineMs: number) => Promise<string>;
  readonly store: ResultStore;
  /** Larger results come as links. */
  readonly mostBytes: number;
}

const DEADLINE_MS = 60_000;

/** An e-mail for each person who is in the organization still. Who has one already gets none at the next attempt. */
export function createEmailDelivery({ sql, sendMail, store, mostBytes }: EmailDeps): Deliver {
  return async function deliverByEmail(delivery) {
    const { run, signal } = delivery;
    const { destination, userId } = run;
    if (destination.kind !== 'email' || userId === null) throw new Error(`run ${run.id} has no addresses`);
    const people = await colleaguesAmong(sql, userId, destination.addresses);
    if (people.length === 0)
      return {
        kind: 'refused',
        why: 'Nobody of the e-mail addresses is in the organization any more.',
        forGood: true,
      };
    const attachments = delivery.bytes <= mostBytes ? await attachmentsOf(store, delivery) : [];
    if (attachments === null) return { kind: 'gone' };
    const texts = textsOf(delivery, attachments.length > 0);
    for (const to of people.filter((address) => !run.deliveredTo.includes(address))) {
      if (signal.aborted) throw signal.reason;
      try {
        await sendMail({ id: `report_run_${run.id}`, to, ...texts, attachments }, DEADLINE_MS);
      } catch {
        return again(`The mail server did not take the e-mail to ${to}.`);
      }
      await noteDeliveredTo(sql, run, to);
    }
    return { kind: 'delivered' };
  };
}

async function attachmentsOf(
  store: ResultStore,
  { job, files, signal }: Delivery,
): Promise<Attachment[] | null> {
  const attachments: Attachment[] = [];
  for (const [part, { name: filename }] of files.entries()) {
    const file = await openPart(store, job, part, signal);
    if (file === null) return null;
    attachments.push({ filename, contentType: file.contentType, content: await buffer(file.bytes) });
  }
  return attachments;
}

function textsOf(
  { run, job, files, until }: Delivery,
  isAttached: boolean,
): Pick<Email, 'subject' | 'text' | 'html'> {
  const days = run.firstDay === run.lastDay ? `${run.firstDay}` : `${run.firstDay} to ${run.lastDay}`;
  const name = run.name.replaceAll(/\s+/g, ' ');
  const lines = [
    `The report "${name}" of ${days} is ready${job.rows > 0 ? `: ${counted(job.rows, 'row')}` : ''}.`,
    ...(isAttached
      ? ['It is attached.']
      : [
          `It is too large for an e-mail. Until ${until.toISOString().slice(0, 16)}Z whoever has these links can download it:`,
          ...files.map(({ url }) => url),
        ]),
    `Schedule ${run.scheduleId} of your organization made it; its owner and admins can pause or delete it.`,
  ];
  const html = lines.map((line) => `<p>${linked(escaped(line))}</p>`).join('\n');
  return { subject: `Report: ${name}, ${days}`, text: `${lines.join('\n\n')}\n`, html };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const linked = (line: string): string =>
  /^https?:\/\/\S+$/.test(line) ? `<a href="${line}">${line}</a>` : line;
