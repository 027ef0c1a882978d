import { Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Delivery } from '../data/deliveries/queries.ts';
import { formatDuration } from '../format/duration.ts';
import { formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';

const words = t.delivery;

interface Moment {
  readonly label: string;
  /** Null: it has not come. */
  readonly at: string | null;
  readonly more?: string;
}

/** The timeline; future steps have no time. */
export function TimelineSection({ delivery }: { delivery: Delivery }): ReactNode {
  const moments = momentsOf(delivery);
  return (
    <Section title={words.timeline}>
      <Timeline
        active={moments.findLastIndex(({ at }) => at !== null && new Date(at) <= new Date())}
        bulletSize={14}
        lineWidth={2}
      >
        {moments.map(({ label, at, more }) => (
          <Timeline.Item key={label} title={label}>
            <Text size="sm" c="dimmed">
              {at === null ? words.notYet : formatTime(at)}
            </Text>
            {more !== undefined && <Text size="sm">{more}</Text>}
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  );
}

function momentsOf(delivery: Delivery): readonly Moment[] {
  const { created_at, scheduled_at, started_at, completed_at, status, updated_at } = delivery;
  const cancelled = status === 'cancelled';
  // A cancelled one has no time of completion: its last change was its end.
  const ended = cancelled ? updated_at : completed_at;
  const seconds =
    started_at === null || ended === null ? null : (Date.parse(ended) - Date.parse(started_at)) / 1_000;
  return [
    { label: words.created, at: created_at },
    ...(scheduled_at === null ? [] : [{ label: words.scheduled, at: scheduled_at }]),
    ...(cancelled && started_at === null ? [] : [{ label: words.started, at: started_at }]),
    {
      label: cancelled ? t.deliveries.statuses.cancelled : words.ended,
      at: ended,
      ...(seconds === null ? {} : { more: words.tookAbout(formatDuration(seconds)) }),
    },
  ];
}
