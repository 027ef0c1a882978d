import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import type { Plan } from '../data/campaigns/plan.ts';
import { planInWords } from '../data/campaigns/words.ts';
import { formatDuration } from '../format/duration.ts';
import { formatLocal, parseLocal, zoneAt } from '../format/local-time.ts';
import { readersInWords } from '../format/readers-words.ts';
import { type Act, actOf, isCampaign, isPlanned, planOfValues } from '../notification/campaign.ts';
import { needsApproval } from '../notification/needs-approval.ts';
import type { Forecast } from '../notification/use-forecast.ts';
import type { ComposeValues } from '../notification/values.ts';
import { t } from '../texts/t.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Facts } from '../ui/facts.tsx';
import { useBreaking } from './use-breaking.ts';

const words = t.compose;

interface ConfirmSendProps {
  readonly opened: boolean;
  /** Nothing is sent yet: a campaign is changed. */
  readonly isChange: boolean;
  readonly values: ComposeValues;
  readonly forecast: Forecast;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** The last check: to how many, and when. */
export function ConfirmSend({
  opened,
  isChange,
  values,
  forecast,
  busy,
  onClose,
  onConfirm,
}: ConfirmSendProps): ReactNode {
  const act = actOf(values);
  const app = useApp();
  const { time_zone: zone } = app;
  const isHeld = needsApproval(app, values);
  const { readers, seconds } = forecast;
  const breaking = useBreaking(values);
  const counted = typeof readers === 'number' ? readersInWords(readers) : null;
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      onConfirm={onConfirm}
      title={isHeld ? t.approvals.askTitle : isChange ? words.changeAct.title : words.confirmTitle[act]}
      act={isHeld ? t.approvals.ask : isChange ? words.changeAct.act : actInWords(act, counted)}
      busy={busy}
      harmless
    >
      <Stack gap="md">
        <Text>{sentence(values, zone, counted)}</Text>
        {isHeld && <Text>{t.approvals.before}</Text>}
        <Facts
          facts={[
            [words.confirmFacts.what, values.title],
            [words.confirmFacts.who, counted ?? words.countFailed],
            ...whenFact(values),
            ...(values.lane === 'breaking' && !isCampaign(values) ? [laneFact(breaking.hint)] : []),
            [words.confirmFacts.takes, seconds === null ? words.takesUnknown : formatDuration(seconds)],
          ]}
        />
      </Stack>
    </Confirm>
  );
}

const actInWords = (act: Act, counted: string | null): string =>
  act === 'now' ? words.act.now(counted ?? words.everybodyChosen) : words.act[act];

/** A local time and a repetition are said in the sentence above. */
const whenFact = (values: ComposeValues): [string, string][] =>
  values.mode === 'local' || values.mode === 'repeats' ? [] : [[words.confirmFacts.when, whenOf(values)]];

/** What one confirms. The values may be unfinished while nobody has asked yet. */
function sentence(values: ComposeValues, zone: string, counted: string | null): string {
  if (isCampaign(values))
    return isPlanned(values) ? planInWords(planOfValues(values, zone) as unknown as Plan) : '';
  return counted === null ? words.confirmUnknown : consequence(values, counted);
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
