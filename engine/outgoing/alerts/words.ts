import type { SentKind } from '../../contract/alerts.ts';
import { counted, pluralOf } from '../../contract/counted.ts';
import type { ClaimedSend } from '../ports.ts';

const titles: Readonly<Record<SentKind, string>> = {
  'delivery-failed': 'A delivery failed',
  'delivery-stuck': 'A delivery is stuck',
  'standing-changed': 'A push service changed how it treats an app',
  'unusual-unsubscribing': 'Unusually many readers unsubscribed',
  'ad-statistics-late': 'Ad statistics are late',
  'feed-broken': 'A feed broke, or works again',
  test: 'This is a test alert',
};

type Detail = Readonly<Record<string, unknown>>;
const of = (detail: Detail, name: string): string => String(detail[name] ?? '');

const many = (detail: Detail, name: string, one: string): string => counted(Number(detail[name] ?? 0), one);

const probably = (detail: Detail): string =>
  of(detail, 'probable_end') === '' ? '' : `, probably until ${of(detail, 'probable_end')}`;

const sentences: Readonly<Record<SentKind, (detail: Detail) => string>> = {
  'delivery-failed': (detail) =>
    `“${of(detail, 'name')}” (${of(detail, 'delivery')}) failed. ${of(detail, 'reason')}`,
  'delivery-stuck': (detail) =>
    `“${of(detail, 'name')}” (${of(detail, 'delivery')}) has made no progress for more than ${many(detail, 'minutes', 'minute')}.`,
  'standing-changed': (detail) =>
    detail.standing === 'limited'
      ? `Since ${of(detail, 'since')}, ${of(detail, 'service')} accepts at most ${many(detail, 'allowed_per_minute', 'message')} per minute from this app${probably(detail)}. Deliveries to it take longer.`
      : `${of(detail, 'service')} no longer limits this app: it did from ${of(detail, 'since')} to ${of(detail, 'ended')}.`,
  'unusual-unsubscribing': (detail) =>
    `${many(detail, 'unsubscribed', 'reader')} unsubscribed within an hour of “${of(detail, 'name')}” (${of(detail, 'delivery')}): ${of(detail, 'times')} times what is typical for this app.`,
  'ad-statistics-late': (detail) => `Ad statistics are complete only until ${of(detail, 'complete_until')}.`,
  'feed-broken': (detail) =>
    detail.state === 'broken'
      ? `The last ${many(detail, 'failures', 'poll')} of the feed “${of(detail, 'name')}” failed, so nothing new is sent. ${of(detail, 'reason')}`
      : `The feed of “${of(detail, 'name')}” can be read again.`,
  test: () => 'If you can read this, the channel works.',
};

export interface Message {
  readonly title: string;
  readonly text: string;
}

/** One line each: no name that a person chose can add a header to a mail. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

export function messageOf({ kind, app, detail, more }: ClaimedSend): Message {
  const where = app === null ? '' : ` (${app.name})`;
  const rest =
    more === 0
      ? ''
      : ` ${more} more of this kind came up within an hour and ${pluralOf(more, 'is', 'are')} summed up here.`;
  return { title: oneLine(titles[kind] + where), text: oneLine(sentences[kind](detail) + rest) };
}

/** Stable over attempts, so that a receiver can drop a repeat. */
export const messageId = ({ id }: Pick<ClaimedSend, 'id'>): string => `alert_${id}`;

/** The body of a webhook; times are those of the alert, so a repeat is the same bytes. */
export const webhookBody = (send: ClaimedSend): string =>
  JSON.stringify({
    type: `alert.${send.kind}`,
    timestamp: send.at.toISOString(),
    data: {
      organization: send.organization,
      app: send.app?.identifier ?? null,
      ...messageOf(send),
      more: send.more,
      detail: send.detail,
    },
  });

/** `&`, `<` and `>` are what Slack reads as markup. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function slackBody(send: ClaimedSend): string {
  const { title, text } = messageOf(send);
  const body = `*${slackText(title)}*\n${slackText(text)}`;
  return JSON.stringify({
    text: slackText(`${title}: ${text}`),
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: body.slice(0, MAX_SLACK_TEXT) } }],
  });
}

/** Of a section block. */
const MAX_SLACK_TEXT = 3_000;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);

export interface MailTexts {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function mailTexts(send: ClaimedSend): MailTexts {
  const { title, text } = messageOf(send);
  const lines = [text, `Organization: ${oneLine(send.organization)}`];
  if (send.app !== null) lines.push(`App: ${oneLine(send.app.name)} (${send.app.identifier})`);
  lines.push(`Time: ${send.at.toISOString()}`);
  return mailOf(title, lines);
}

/** An e-mail of a title and its lines; one that is an address is a link in HTML. */
export function mailOf(title: string, lines: readonly string[]): MailTexts {
  const html = lines.map((line) =>
    /^https?:\/\/\S+$/.test(line)
      ? `<p><a href="${escapeHtml(line)}">${escapeHtml(line)}</a></p>`
      : `<p>${escapeHtml(line)}</p>`,
  );
  return {
    subject: title,
    text: `${lines.join('\n\n')}\n`,
    html: `<h1>${escapeHtml(title)}</h1>\n${html.join('\n')}\n`,
  };
}
