import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CampaignStep } from '../data/campaigns/resource.ts';
import { stepInWords } from '../data/campaigns/step-words.ts';
import { formatTime } from '../format/format.ts';
import { readersInWords } from '../format/readers-words.ts';
import type { ComposeValues } from '../notification/values.ts';
import { t } from '../texts/t.ts';
import { useSteps } from './use-steps.ts';

const words = t.compose;
const MOST_SHOWN = 5;
/** A step within this is one at once. */
const AT_ONCE_MS = 60_000;

/** When the campaign sends, and to how many. */
export function Steps({ values }: { values: ComposeValues }): ReactNode {
  const steps = useSteps(values);
  if (steps === null) return null;
  const lines = linesOf(steps);
  return (
    <section aria-label={words.steps}>
      <Text size="sm" c="dimmed">
        {words.steps}
      </Text>
      <List size="sm" spacing={2}>
        {lines.slice(0, MOST_SHOWN).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      {lines.length > MOST_SHOWN && (
        <Text size="sm" c="dimmed">
          {t.campaign.moreSteps(lines.length - MOST_SHOWN)}
        </Text>
      )}
    </section>
  );
}

/** The variants of a test start at one time with an equal part of the readers: one line for all. */
function linesOf(steps: readonly CampaignStep[]): readonly string[] {
  const variants = steps.filter(({ role }) => role.startsWith('variant-'));
  const [first] = variants;
  if (first === undefined) return steps.map(stepInWords);
  const winner = steps.find(({ role }) => role === 'winner');
  return [
    words.stepVariants(timeOf(first.at), variants.length, readersInWords(first.readers)),
    ...(winner === undefined ? [] : [words.stepWinner(timeOf(winner.at), readersInWords(winner.readers))]),
  ];
}

function timeOf(at: string | null): string {
  if (at === null) return t.campaign.onceDecided;
  return Date.parse(at) - Date.now() < AT_ONCE_MS ? words.whenNow : formatTime(at);
}
