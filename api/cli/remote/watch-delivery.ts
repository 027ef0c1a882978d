import { counted } from '../../../engine/contract/counted.ts';
import { shown } from '../../../engine/contract/shown.ts';
import { number, shareText } from '../../../engine/kit/command-line/numbers.ts';
import { printJson, printNote } from '../../../engine/kit/command-line/terminal.ts';
import type { Answer, BroadsideClient } from '../../http-client/client.ts';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';

export type Delivery = Answer<'/api/v1/client/apps/{identifier}/deliveries/{delivery_id}', 'get'>['data'];

/** The fields that every answer about a delivery has; an answer about a single one has more. */
export type Counted = Answer<'/api/v1/client/apps/{identifier}/deliveries', 'get'>['data'][number];

/** Half of one user's rate limit. */
const POLL_MS = 2_000;
const ended: readonly Delivery['status'][] = ['success', 'partial', 'failed', 'cancelled'];

export interface WatchOptions {
  readonly client: BroadsideClient;
  readonly identifier: string;
  readonly id: number;
  readonly json: boolean;
  readonly pollMs?: number;
}

/** Follows a delivery until it ends, and shows how far it is. Stops by itself; Ctrl-C stops only the watching. */
export async function watchDelivery(options: WatchOptions): Promise<Delivery> {
  const view = options.json ? createLines() : await createView();
  try {
    for (;;) {
      const delivery = await readDelivery(options);
      view.show(delivery);
      if (ended.includes(delivery.status)) return delivery;
      await new Promise((resolve) => setTimeout(resolve, options.pollMs ?? POLL_MS));
    }
  } finally {
    view.stop();
  }
}

export async function readDelivery({ client, identifier, id }: WatchOptions): Promise<Delivery> {
  const params = { path: { identifier, delivery_id: String(id) } };
  const path = '/api/v1/client/apps/{identifier}/deliveries/{delivery_id}';
  return (await bodyOf(client.GET(path, { params }))).data;
}

interface View {
  show(delivery: Delivery): void;
  stop(): void;
}

/** One JSON line for each change. */
function createLines(): View {
  let last = '';
  return {
    show: (delivery) => {
      const line = JSON.stringify(delivery);
      if (line !== last) printJson(delivery);
      last = line;
    },
    stop: () => {},
  };
}

/** A bar on a terminal, otherwise a line for each change. */
async function createView(): Promise<View> {
  return process.stderr.isTTY ? createBar() : createStatusLines();
}

async function createBar(): Promise<View> {
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: '{status} [{bar}] {percentage}% | {done} of {all}{left}',
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(1, 0, { status: 'waiting', done: '0', all: '?', left: '' });
  const left = createTimeLeft();
  return {
    show: (delivery) => {
      bar.setTotal(Math.max(1, delivery.total_subscribers));
      bar.update(doneOf(delivery), {
        status: shown(delivery.status),
        done: shown(number(doneOf(delivery))),
        all: shown(number(delivery.total_subscribers)),
        left: left(doneOf(delivery), delivery.total_subscribers, performance.now()),
      });
    },
    stop: () => bar.stop(),
  };
}

/** The bar's own guess begins with infinity. @returns '' until something was done between two checks. */
export function createTimeLeft(): (done: number, all: number, nowMs: number) => string {
  let first: { readonly done: number; readonly ms: number } | null = null;
  return (done, all, nowMs) => {
    first ??= { done, ms: nowMs };
    const doneSince = done - first.done;
    if (doneSince <= 0 || done >= all) return '';
    const seconds = Math.ceil(((all - done) * (nowMs - first.ms)) / doneSince / 1_000);
    return seconds < 100 ? ` | ${seconds} s left` : ` | ${Math.ceil(seconds / 60)} min left`;
  };
}

function createStatusLines(): View {
  let last = '';
  return {
    show: (delivery) => {
      const line = statusLine(delivery);
      if (line !== last) printNote(line);
      last = line;
    },
    stop: () => {},
  };
}

export const doneOf = (delivery: Counted): number =>
  delivery.success_count + delivery.failed_count + delivery.capped_subscribers;

function statusLine(delivery: Delivery): string {
  if (delivery.status === 'scheduled') return `scheduled for ${delivery.scheduled_at}`;
  const unclear =
    delivery.ambiguous > 0 ? `, ${counted(delivery.ambiguous, 'attempt')} without an answer` : '';
  return `${delivery.status}: ${number(doneOf(delivery))} of ${number(delivery.total_subscribers)}${unclear}`;
}

/** Readers' reactions, for people. The click rate of lists and pages is that of accepted. */
export function funnelLines({ engagement, started_at: startedAt, rehearsal }: Delivery): string[] {
  if (startedAt === null || rehearsal) return [];
  if (engagement === null) return ['Reactions cannot be counted right now: try again in a minute.'];
  const { accepted, displayed, clicked, closed, unproven } = engagement;
  const head = ['READERS', 'COUNT', 'SHARE', 'UNPROVEN'];
  const clicks = `${shareText(clicked, accepted)} of accepted, ${shareText(clicked, displayed)} of displayed`;
  return tableOf(head, [
    ['accepted', accepted, '', ''],
    ['displayed', displayed, `${shareText(displayed, accepted)} of accepted`, number(unproven.displayed)],
    ['clicked', clicked, clicks, number(unproven.clicked)],
    [
      'closed',
      closed,
      `${shareText(closed, accepted)} of accepted, ${shareText(closed, displayed)} of displayed`,
      number(unproven.closed),
    ],
  ]);
}

/** How it ended, for people. */
export function summaryOf(delivery: Counted): string[] {
  const counts = [
    `${number(delivery.success_count)} accepted`,
    `${number(delivery.failed_count)} failed`,
    `${number(delivery.capped_subscribers - delivery.guarded_subscribers - delivery.wished_subscribers)} held back by the frequency cap`,
    ...(delivery.guarded_subscribers > 0
      ? [`${number(delivery.guarded_subscribers)} held back by the guard of Chrome’s limit`]
      : []),
    ...(delivery.wished_subscribers > 0
      ? [`${number(delivery.wished_subscribers)} held back as the readers asked`]
      : []),
    ...(delivery.ambiguous > 0
      ? [`${counted(delivery.ambiguous, 'attempt')} without an answer, which may have arrived`]
      : []),
  ].join(', ');
  const left = delivery.total_subscribers - doneOf(delivery);
  const unsent = left > 0 && delivery.status === 'cancelled' ? `, ${number(left)} not sent` : '';
  const why = delivery.error_message === null ? [] : [delivery.error_message];
  return [`Delivery ${delivery.id} (${delivery.name}): ${delivery.status}. ${counts}${unsent}.`, ...why];
}
