import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import type { Plan } from '../data/campaigns/plan.ts';
import { planInWords } from '../data/campaigns/words.ts';
import { formatLocal, parseLocal, zoneAt } from '../format/local-time.ts';
import { readersInWords } from '../format/readers-words.ts';
import { type Act, actOf, isCampaign, isPlanned, planOfValues } from '../notification/campaign.ts';
import { needsApproval } from '../notification/needs-approval.ts';
import { ChosenDrawing, type usePreviewChoice } from '../notification/preview/preview.tsx';
import type { Forecast } from '../notification/use-forecast.ts';
import { usePreviewContent } from '../notification/use-preview-content.ts';
import { addressOf, type ComposeValues } from '../notification/values.ts';
import { contentsOf, isTest } from '../notification/variants.ts';
import { t } from '../texts/t.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Facts } from '../ui/facts.tsx';
import { durationOf } from './summary.tsx';
import { useBreaking } from './use-breaking.ts';

const words = t.compose;

interface ConfirmSendProps {
  readonly opened: boolean;
  /** Nothing is sent yet: a campaign is changed. */
  readonly isChange: boolean;
  readonly values: ComposeValues;
  /** Which browser draws it. */
  readonly choice: ReturnType<typeof usePreviewChoice>;
  readonly forecast: Forecast;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** The last check: what, where it leads, to how many, and when. */
export function ConfirmSend({
  opened,
  isChange,
  values,
  choice,
  forecast,
  busy,
  onClose,
  onConfirm,
}: ConfirmSendProps): ReactNode {
  const act = actOf(values);
  const app = useApp();
  const { time_zone: zone } = app;
  const isHeld = needsApproval(app, values);
  const { readers } = forecast;
  const breaking = useBreaking(values);
  const counted = typeof readers === 'number' ? readersInWords(readers) : null;
  const said = sentence(values, zone, counted, isHeld);
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
        {said !== null && <Text>{said}</Text>}
        {isHeld && <Text>{t.approvals.before}</Text>}
        {isTest(values) ? <Variants values={values} /> : <Notification values={values} choice={choice} />}
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {words.url}: {linksOf(values).join(', ')}
        </Text>
        <Facts
          facts={[
            [words.confirmFacts.who, counted ?? words.countFailed],
            [words.confirmFacts.when, whenOf(values, zone)],
            ...(values.lane === 'breaking' && !isCampaign(values) ? [laneFact(breaking.hint)] : []),
            [words.confirmFacts.takes, durationOf(forecast)],
          ]}
        />
      </Stack>
    </Confirm>
  );
}

const actInWords = (act: Act, counted: string | null): string =>
  act === 'now' ? words.act.now(counted ?? words.everybodyChosen) : words.act[act];

/** As the browser that was chosen beside the form draws it. */
function Notification({ values, choice }: Pick<ConfirmSendProps, 'values' | 'choice'>): ReactNode {
  const { content } = usePreviewContent(values);
  return <ChosenDrawing app={useApp()} content={content} choice={choice} />;
}

/** Of a test, the texts beside each other: what differs is what counts. */
const Variants = ({ values }: { values: ComposeValues }): ReactNode => (
  <Stack gap="xs">
    {contentsOf(values).map(({ title, body }, at) => (
      <div key={String(at)}>
        <Text size="xs" c="dimmed">
          {words.variant(at + 1)}
        </Text>
        <Text fw={600}>{title}</Text>
        <Text size="sm">{body}</Text>
      </div>
    ))}
  </Stack>
);

/** Variants may lead to different pages. */
const linksOf = (values: ComposeValues): readonly string[] => [
  ...new Set(contentsOf(values).map(({ url }) => addressOf(url))),
];

/** The rule of a test, the consequence of a delivery; null where the facts say all. */
function sentence(
  values: ComposeValues,
  zone: string,
  counted: string | null,
  isHeld: boolean,
): string | null {
  if (isTest(values)) return planWords(values, zone);
  if (isHeld || isCampaign(values)) return null;
  return counted === null ? words.confirmUnknown : consequence(values, counted);
}

const laneFact = (hint: string): [string, string] => [words.lane, `${words.lanes.breaking}. ${hint}`.trim()];

function consequence(values: ComposeValues, readers: string): string {
  if (values.mode === 'rehearsal') return words.confirmRehearsal(readers);
  return values.mode === 'now' ? words.confirmNow(readers) : words.confirmLater(readers, laterOf(values));
}

function whenOf(values: ComposeValues, zone: string): string {
  const isOfPlan = !isTest(values) && (values.mode === 'local' || values.mode === 'repeats');
  return isOfPlan ? (planWords(values, zone) ?? '') : laterOf(values);
}

/** Null while what is typed is not a plan yet. */
const planWords = (values: ComposeValues, zone: string): string | null =>
  isPlanned(values) ? planInWords(planOfValues(values, zone) as unknown as Plan) : null;

function laterOf({ mode, scheduled_at }: ComposeValues): string {
  const at = mode === 'later' ? parseLocal(scheduled_at) : null;
  return at === null ? words.whenNow : `${formatLocal(at)} (${zoneAt(at)})`;
}
