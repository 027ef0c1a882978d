import { Alert, Badge, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { endedOf, type Part, partsOf } from '../data/deliveries/counts.ts';
import { type Delivery, recentDeliveriesQuery } from '../data/deliveries/queries.ts';
import { isActive, isTroubled } from '../data/deliveries/status.ts';
import { useApi } from '../data/http/services.tsx';
import { formatDuration } from '../format/duration.ts';
import { formatAgo, formatNumber, formatShare, formatTime } from '../format/format.ts';
import { zoneAt } from '../format/local-time.ts';
import { lazyPart } from '../frame/lazy-part.tsx';
import { speedOf } from '../notification/estimate.ts';
import { t } from '../texts/t.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { PlainTable } from '../ui/plain-table.tsx';
import { Section } from '../ui/section.tsx';
import classes from './progress-section.module.css';
import { stallOf } from './stall.ts';
import { StallNote } from './stall-note.tsx';

const TestResults = lazyPart(() => import('../parts/test-browsers/results.tsx'));

const LimitNote = lazyPart(() => import('../parts/limit-note.tsx'));

const words = t.delivery;

interface ProgressProps {
  readonly app: string;
  readonly delivery: Delivery;
  readonly live: boolean;
}

/** The delivery's progress, and its results. */
export function ProgressSection({ app, delivery, live }: ProgressProps): ReactNode {
  const { status, rehearsal, started_at: startedAt, error_message: error } = delivery;
  const active = isActive(delivery);
  const isMost = status === 'partial' && !isTroubled(delivery);
  return (
    <Section
      title={words.progress}
      description={
        <span role="status">
          {rehearsal && !active ? words.rehearsed : isMost ? words.sentToMost : words.explained[status]}
        </span>
      }
    >
      {status === 'scheduled' && delivery.scheduled_at !== null && <Start at={delivery.scheduled_at} />}
      {startedAt !== null && (
        <>
          <Bar delivery={delivery} />
          {active && <Speed app={app} delivery={delivery} live={live} />}
          <Counts delivery={delivery} />
        </>
      )}
      {delivery.test && (
        <Suspense>
          <TestResults app={app} delivery={delivery.id} sentAtMs={Date.parse(delivery.created_at)} />
        </Suspense>
      )}
      {delivery.ambiguous > 0 && (
        <Text size="sm" c="dimmed">
          {words.ambiguous(delivery.ambiguous, formatNumber(delivery.ambiguous))}
        </Text>
      )}
      {error !== null && delivery.failures.length === 0 && (
        <Alert
          color={status === 'failed' ? 'red' : 'yellow'}
          title={words.whatFailed}
          icon={<IconAlertTriangle aria-hidden />}
        >
          {error}
        </Alert>
      )}
    </Section>
  );
}

const Start = ({ at }: { at: string }): ReactNode => (
  <div>
    <Text size="lg" fw={600}>
      {words.startsAt(formatTime(at))}
    </Text>
    <Text size="sm" c="dimmed">
      {`${formatAgo(at)} · ${t.compose.zone(zoneAt(new Date(at)))}`}
    </Text>
  </div>
);

function Bar({ delivery }: { delivery: Delivery }): ReactNode {
  const total = delivery.total_subscribers;
  const done = endedOf(delivery);
  const percent = (count: number): number => (total === 0 ? 100 : (count / total) * 100);
  const text = words.of(formatNumber(done), formatNumber(total));
  return (
    <div>
      <Group justify="space-between" mb={6} gap="xs">
        <Text size="lg" fw={600} className={classes.figure}>
          {formatShare(done, total)}
        </Text>
        <Text size="sm" c="dimmed" className={classes.figure}>
          {text}
        </Text>
      </Group>
      <div
        role="progressbar"
        aria-label={words.barLabel}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(percent(done))}
        aria-valuetext={text}
      >
        <Progress.Root size="lg" aria-hidden>
          {partsOf(delivery)
            .filter(({ kind }) => kind !== 'waiting' && kind !== 'notSent')
            .map(({ kind, count, color }) => (
              <Progress.Section key={kind} value={percent(count)} color={color} withAria={false} />
            ))}
        </Progress.Root>
      </div>
    </div>
  );
}

/** The last answers may take as long as a push service likes. */
const ALMOST_SECONDS = 5;

function Speed({ app, delivery, live }: ProgressProps): ReactNode {
  const { forecast, rate_per_minute: pace } = delivery;
  const left = forecast?.seconds_left ?? null;
  const limits = forecast?.limits ?? [];
  // A push service that limits the app takes few messages at a time: that is not a standstill.
  const stall = limits.length > 0 ? null : stallOf(delivery);
  const speed = speedOf(useQuery(recentDeliveriesQuery(useApi(), app)).data?.data ?? []);
  const followed = <Badge color={live ? 'teal' : 'gray'}>{live ? words.live : words.polled}</Badge>;
  if (stall !== null) {
    return (
      <Stack gap="xs" align="stretch">
        <StallNote stall={stall} />
        <Group justify="flex-end">{followed}</Group>
      </Stack>
    );
  }
  return (
    <Stack gap="xs" align="stretch">
      {limits.length > 0 && (
        <Suspense>
          <LimitNote app={app} limits={limits} />
        </Suspense>
      )}
      <Group gap="sm" justify="space-between">
        <Text size="sm" className={classes.figure}>
          {forecast === null || left === null
            ? words.leftUnknown
            : `${words.rate(formatNumber(forecast.rate_per_minute))} · ${left < ALMOST_SECONDS ? words.almost : words.left(formatDuration(left))}`}
          {pace !== null && ` · ${words.paced(formatNumber(pace))}`}
          {pace === null &&
            speed !== null &&
            ` · ${words.typicalRate(formatNumber(Math.round(speed.perSecond * 60)))}`}
        </Text>
        {followed}
      </Group>
    </Stack>
  );
}

function Counts({ delivery }: { delivery: Delivery }): ReactNode {
  const total = delivery.total_subscribers;
  return (
    <PlainTable label={words.counts}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{words.kind}</th>
          <th scope="col">{t.deliveries.audience}</th>
          <th scope="col">{words.share}</th>
        </tr>
      </thead>
      <tbody>
        {partsOf(delivery).map((part) => (
          <CountRow key={part.kind} part={part} total={total} />
        ))}
        <tr className={classes.total}>
          <th scope="row">
            {words.total}
            <Hint>{words.totalHint}</Hint>
          </th>
          <td className={classes.count}>{formatNumber(total)}</td>
          <td className={classes.count} />
        </tr>
      </tbody>
    </PlainTable>
  );
}

const CountRow = ({ part: { kind, count, color }, total }: { part: Part; total: number }): ReactNode => (
  <tr>
    <th scope="row">
      <Group gap={8} wrap="nowrap" align="baseline">
        <span
          aria-hidden
          className={classes.dot}
          style={{ background: `var(--mantine-color-${color.replace('.', '-')})` }}
        />
        <Stack gap={0}>
          {words[kind]}
          <Hint>{words[`${kind}Hint`]}</Hint>
        </Stack>
      </Group>
    </th>
    <td className={classes.count}>{formatNumber(count)}</td>
    <td className={classes.count}>{total === 0 ? '' : formatShare(count, total)}</td>
  </tr>
);

const Hint = ({ children }: { children: ReactNode }): ReactNode => (
  <Text size="xs" c="dimmed" fw={400}>
    {children}
  </Text>
);
