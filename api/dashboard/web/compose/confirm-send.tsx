import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Confirm } from '../shell/confirm.tsx';
import { formatDuration } from '../shell/duration.ts';
import { Facts } from '../shell/facts.tsx';
import { t } from '../texts/t.ts';
import { formatLocal, parseLocal, zoneAt } from './local-time.ts';
import { useBreaking } from './use-breaking.ts';
import { type Forecast, readersInWords } from './use-forecast.ts';
import type { ComposeValues } from './values.ts';

const words = t.compose;

interface ConfirmSendProps {
  readonly opened: boolean;
  readonly values: ComposeValues;
  readonly forecast: Forecast;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** The last look: to how many, and when. */
export function ConfirmSend({
  opened,
  values,
  forecast,
  busy,
  onClose,
  onConfirm,
}: ConfirmSendProps): ReactNode {
  const { mode } = values;
  const { readers, seconds } = forecast;
  const breaking = useBreaking(values);
  const counted = typeof readers === 'number' ? readersInWords(readers) : null;
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      onConfirm={onConfirm}
      title={words.confirmTitle[mode]}
      act={mode === 'now' ? words.act.now(counted ?? words.everybodyChosen) : words.act[mode]}
      busy={busy}
      harmless
    >
      <Stack gap="md">
        <Text>{counted === null ? words.confirmUnknown : consequence(values, counted)}</Text>
        <Facts
          facts={[
            [words.confirmFacts.what, values.title],
            [words.confirmFacts.who, counted ?? words.countFailed],
            [words.confirmFacts.when, whenOf(values)],
            ...(values.lane === 'breaking' ? [laneFact(breaking.hint)] : []),
            [words.confirmFacts.takes, seconds === null ? words.takesUnknown : formatDuration(seconds)],
          ]}
        />
      </Stack>
    </Confirm>
  );
}

const laneFact = (hint: string): [string, string] => [words.lane, `${words.lanes.breaking}. ${hint}`.trim()];

function consequence(values: ComposeValues, readers: string): string {
  if (values.mode === 'rehearsal') return words.confirmRehearsal(readers);
  return values.mode === 'now' ? words.confirmNow(readers) : words.confirmLater(readers, whenOf(values));
}

function whenOf({ mode, scheduled_at }: ComposeValues): string {
  const at = mode === 'later' ? parseLocal(scheduled_at) : null;
  return at === null ? words.whenNow : `${formatLocal(at)} (${zoneAt(at)})`;
}
