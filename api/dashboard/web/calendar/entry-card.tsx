import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DragEvent, ReactNode } from 'react';
import type { Entry } from '../data/calendar/queries.ts';
import { formatNumber, formatTimes } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { IconArrowsMove } from '../ui/icons.ts';
import classes from './calendar.module.css';
import { clock } from './days.ts';

const words = t.calendar;
/** Of what is dragged; nothing else that is dropped here means anything. */
export const DRAGGED = 'application/x-broadside-delivery';

interface Props {
  readonly app: string;
  readonly entry: Entry;
  readonly onMove: (entry: Entry) => void;
}

/** One send: its time, its name, how it stands; and a way to move it for who does not drag. */
export function EntryCard({ app, entry, onMove }: Props): ReactNode {
  const { kind, id, name, at, movable } = entry;
  const drag = (event: DragEvent): void => {
    event.dataTransfer.setData(DRAGGED, String(id));
    event.dataTransfer.effectAllowed = 'move';
  };
  const inside = (
    <>
      <span className={classes.time}>{clock(new Date(at))}</span> <span>{name}</span>
      <span className="visually-hidden">, {stateOf(entry)}</span>
    </>
  );
  return (
    <div
      className={classes.entry}
      data-state={toneOf(entry)}
      title={`${name} · ${stateOf(entry)}`}
      {...(movable ? { draggable: true, onDragStart: drag } : {})}
    >
      {kind === 'delivery' ? (
        <Link
          to="/apps/$app/deliveries/$delivery"
          params={{ app, delivery: String(id) }}
          className={classes.name}
          draggable={false}
        >
          {inside}
        </Link>
      ) : (
        <Link
          to="/apps/$app/campaigns/$campaign"
          params={{ app, campaign: String(id) }}
          className={classes.name}
          draggable={false}
        >
          {inside}
        </Link>
      )}
      {movable && (
        <ActionIcon size={24} variant="subtle" aria-label={words.move(name)} onClick={() => onMove(entry)}>
          <IconArrowsMove size={14} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

/** Few colours: what is to come, what waits for somebody, what is only expected, and what was. */
function toneOf({ kind, approval, success_count: sent, status }: Entry): string {
  if (approval === 'waiting' || approval === 'declined') return 'waits';
  if (kind === 'firing') return 'expected';
  if (sent === null) return 'to-come';
  return status === 'failed' ? 'failed' : 'sent';
}

function stateOf(entry: Entry): string {
  const { kind, at, until, approval, success_count: sent, by_reader: byReader } = entry;
  const local = byReader ? `, ${words.byReader}` : '';
  if (approval === 'waiting') return t.approvals.waits + local;
  if (approval === 'declined') return t.approvals.back + local;
  if (kind === 'firing') return words.expected + local;
  if (sent === null)
    return `${t.deliveries.statuses.scheduled}${local}${until === null ? '' : `, ${formatTimes(at, until)}`}`;
  return words.sentTo(formatNumber(sent));
}
