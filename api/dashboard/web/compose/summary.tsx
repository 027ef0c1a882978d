import { Alert, Text, Title } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { formatDuration } from '../format/duration.ts';
import { formatNumber } from '../format/format.ts';
import { readersInWords } from '../format/readers-words.ts';
import { lazyPart } from '../frame/lazy-part.tsx';
import { MAX_PAYLOAD_BYTES } from '../notification/payload-size.ts';
import { type Forecast, useNearLimit } from '../notification/use-forecast.ts';
import type { ComposeValues } from '../notification/values.ts';
import { t } from '../texts/t.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import classes from './summary.module.css';

const NearNote = lazyPart(() => import('../parts/near-note.tsx'));

const words = t.compose;

interface SummaryProps {
  readonly values: ComposeValues;
  readonly forecast: Forecast;
}

/** How many, how large, how long. */
export function Summary({ values, forecast }: SummaryProps): ReactNode {
  const { readers, bytes } = forecast;
  return (
    <section className={classes.summary}>
      <Title order={2} size="h4" className={classes.heading}>
        {words.summary}
      </Title>
      <dl className={classes.facts}>
        <Fact label={words.audienceNow} hint={readers === 0 ? words.audienceNone : words.audienceHint}>
          <span role="status">{wordsOfReaders(readers)}</span>
        </Fact>
        <Fact label={words.takes} hint={takesHint(values, forecast)}>
          {durationOf(forecast)}
        </Fact>
        <Fact label={words.size}>{words.sizeOf(formatNumber(bytes), formatNumber(MAX_PAYLOAD_BYTES))}</Fact>
      </dl>
    </section>
  );
}

/** What one has to know before it is sent; nothing for most. */
export const SendNotes = ({ values, forecast }: SummaryProps): ReactNode => (
  <>
    <NearLimitNote values={values} />
    {forecast.bytes > MAX_PAYLOAD_BYTES && (
      <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />}>
        {words.sizeTooLarge}
      </Alert>
    )}
  </>
);

/** Before sending: whom the guard holds back, or whom it would. */
function NearLimitNote({ values }: { values: ComposeValues }): ReactNode {
  const { identifier } = useApp();
  const near = useNearLimit(values);
  if (near === null) return null;
  return (
    <Suspense>
      <NearNote app={identifier} near={near} />
    </Suspense>
  );
}

const wordsOfReaders = (readers: Forecast['readers']): string => {
  if (readers === undefined) return words.counting;
  return readers === null ? words.countFailed : readersInWords(readers);
};

/** How long it takes. */
export const durationOf = ({ seconds }: Pick<Forecast, 'seconds'>): string =>
  seconds === null ? words.takesUnknown : formatDuration(seconds);

/** Where that is known from. */
function takesHint({ rate_per_minute: pace }: ComposeValues, { seconds, measured }: Forecast) {
  if (seconds === null) return words.takesMeasured;
  return pace === '' ? words.takesFrom(measured) : words.takesPaced;
}

const Fact = ({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: string | undefined;
  children: ReactNode;
}): ReactNode => (
  <div title={hint}>
    <dt className={classes.label}>{label}</dt>
    <dd className={classes.value}>
      <Text fw={600} component="span" inherit>
        {children}
      </Text>
      {hint !== undefined && (
        <Text size="xs" c="dimmed" component="span" className={classes.hint}>
          {hint}
        </Text>
      )}
    </dd>
  </div>
);
