import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Plan, planOf } from '../data/campaigns/plan.ts';
import { type CampaignDetail, forecastQuery, type Previewed } from '../data/campaigns/queries.ts';
import { isOpen } from '../data/campaigns/status.ts';
import { stepInWords } from '../data/campaigns/step-words.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { Lines } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';

const words = t.campaign;
const MOST_SHOWN = 12;

/** The times to come of a campaign by local time or by a schedule: with the readers that there are now. */
export function StepsSection({ app, campaign }: { app: string; campaign: CampaignDetail }): ReactNode {
  const asked = isOpen(campaign) ? toPreview(campaign) : null;
  const { data: forecast, isLoading } = useQuery(forecastQuery(useApi(), app, asked));
  if (asked === null) return null;
  const about = {
    title: asked.plan.kind === 'local_time' ? words.zonesToCome : words.firingsToCome,
    description: words.toComeAbout,
  };
  if (isLoading)
    return (
      <Section {...about}>
        <Lines />
      </Section>
    );
  const steps = forecast?.steps.filter(({ at }) => at !== null && Date.parse(at) > Date.now()) ?? [];
  if (steps.length === 0) return null;
  return (
    <Section {...about}>
      <List size="sm" spacing={6}>
        {steps.slice(0, MOST_SHOWN).map((step) => (
          <List.Item key={step.at}>{stepInWords(step)}</List.Item>
        ))}
      </List>
      {steps.length > MOST_SHOWN && (
        <Text size="sm" c="dimmed">
          {words.moreSteps(steps.length - MOST_SHOWN)}
        </Text>
      )}
    </Section>
  );
}

/** A beginning that has passed changes nothing any more, and the API takes only times to come. */
function toPreview(campaign: CampaignDetail): Previewed | null {
  const plan = givenOf(planOf(campaign));
  const { segment_id: segment, delivery_category_id: category } = campaign;
  return plan === null
    ? null
    : {
        plan,
        ...(segment === null ? {} : { segment_id: segment }),
        ...(category === null ? {} : { delivery_category_id: category }),
      };
}

function givenOf(plan: Plan): Previewed['plan'] | null {
  if (plan.kind === 'local_time') return { kind: plan.kind, at: plan.at, if_passed: plan.if_passed };
  if (plan.kind !== 'recurring') return null;
  const { kind, schedule, time_zone, from, until } = plan;
  return {
    kind,
    schedule,
    time_zone,
    ...(from === null || Date.parse(from) <= Date.now() ? {} : { from }),
    ...(until === null ? {} : { until }),
  };
}
