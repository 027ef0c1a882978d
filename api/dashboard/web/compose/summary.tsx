import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { formatDuration } from '../format/duration.ts';
import { formatNumber } from '../format/format.ts';
import { readersInWords } from '../format/readers-words.ts';
import { lazyPart } from '../frame/lazy-part.tsx';
import { keepsQuiet } from '../notification/campaign.ts';
import { MAX_PAYLOAD_BYTES } from '../notification/payload-size.ts';
import { type Forecast, useNearLimit } from '../notification/use-forecast.ts';
import type { ComposeValues } from '../notification/values.ts';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';
import { Steps } from './steps.tsx';
import classes from './summary.module.css';

const NearNote = lazyPart(() => import('../parts/near-note.tsx'));

const words = t.compose;

interface SummaryProps {
  readonly values: ComposeValues;
  readonly forecast: Forecast;
}

/** How many, how large, how long: and the way on. */
export function Summary({ values, forecast }: SummaryProps): ReactNode {
  const { readers, bytes } = forecast;
  const tooLarge = bytes > MAX_PAYLOAD_BYTES;
  return (
    <Section title={words.summary}>
      <dl className={classes.facts}>
        <Fact label={words.audienceNow} hint={readers === 0 ? words.audienceNone : words.audienceHint}>
          <span role="status">{wordsOfReaders(readers)}</span>
        </Fact>
        <Fact label={words.takes} hint={takesHint(values, forecast)}>
          {forecast.seconds === null ? words.takesUnknown : formatDuration(forecast.seconds)}
        </Fact>
        <Fact label={words.size}>{words.sizeOf(formatNumber(bytes), formatNumber(MAX_PAYLOAD_BYTES))}</Fact>
      </dl>
      <Steps values={values} />
      <QuietNote values={values} />
      <NearLimitNote values={values} />
      {tooLarge && (
        <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />}>
          {words.sizeTooLarge}
        </Alert>
      )}
    </Section>
  );
}

function QuietNote({ values }: { values: ComposeValues }): ReactNode {
  const { quiet_hours: hours } = useApp();
  const { during_quiet_hours: choice } = values;
  if (hours === null || choice === 'send' || !keepsQuiet(values)) return null;
  return (
    <Text size="sm" c="dimmed">
      {words.quietNotes[choice]}
    </Text>
  );
}

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

function takesHint({ rate_per_minute: pace }: ComposeValues, { seconds, measured }: Forecast) {
  if (seconds === null) return undefined;
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
  <div>
    <dt className={classes.label}>{label}</dt>
    <dd className={classes.value}>
      <Stack gap={0}>
        <Text fw={600} component="span" className={classes.figure}>
          {children}
        </Text>
        {hint !== undefined && (
          <Text size="xs" c="dimmed" component="span">
            {hint}
          </Text>
        )}
      </Stack>
    </dd>
  </div>
);
