import { Alert, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { planOf } from '../data/campaigns/plan.ts';
import type { CampaignDetail } from '../data/campaigns/queries.ts';
import { deliveryQuery } from '../data/deliveries/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatPercent, formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { IconTrophy } from '../ui/icons.ts';
import { Section } from '../ui/section.tsx';
import { VariantCard } from './variant-card.tsx';
import classes from './variants.module.css';
import { WinnerButton } from './winner-button.tsx';

const words = t.campaign;
type Decision = NonNullable<CampaignDetail['decision']>;

interface TestSectionProps {
  readonly app: string;
  readonly campaign: CampaignDetail;
}

/** How the variants of a test do, what was decided, and the choice where it waits for one. */
export function TestSection({ app, campaign }: TestSectionProps): ReactNode {
  const { notifications, variants, difference, decision } = campaign;
  const displayed = useDisplayed(app, campaign);
  const highest = Math.max(0, ...(variants ?? []).map(({ interval }) => interval?.high ?? 0)) * HEADROOM;
  return (
    <Section
      title={words.variants}
      description={variants === null ? words.variantsNone : words.variantsAbout}
    >
      {decision !== null && <Decided decision={decision} />}
      <ol className={classes.variants}>
        {notifications.map(({ title }, index) => (
          <VariantCard
            key={String(index)}
            app={app}
            number={index + 1}
            title={title}
            figures={variants?.[index] ?? null}
            displayed={displayed[index]}
            highest={highest}
            mark={markOf(decision, index + 1)}
            action={
              isChoosable(campaign) && (
                <ForRole least="approver">
                  <WinnerButton
                    app={app}
                    campaign={campaign.id}
                    variant={index + 1}
                    title={title}
                    awaited={campaign.status === 'deciding'}
                  />
                </ForRole>
              )
            }
          />
        ))}
      </ol>
      {difference !== null && (
        <Text size="sm">
          {words.difference(points.format(difference.low), points.format(difference.high))}
        </Text>
      )}
    </Section>
  );
}

/** The highest interval does not touch the end of its track. */
const HEADROOM = 1.1;
const points = { format: (value: number): string => formatPercent(value).replace(/\s?%$/, '') };

/** As its deliveries' pages have it: the campaign counts clicks alone. */
function useDisplayed(app: string, { variants }: CampaignDetail): readonly (number | undefined)[] {
  const api = useApi();
  return useQueries({
    queries: (variants ?? []).map(({ delivery_id: id }) => deliveryQuery(api, app, String(id))),
  }).map(({ data }) => data?.engagement?.displayed);
}

const markOf = (decision: Decision | null, number: number): 'winner' | 'sent' | null => {
  if (decision?.winner === number) return 'winner';
  return decision?.sent === number ? 'sent' : null;
};

/** Also before a test that is decided by clicks has its time. */
const isChoosable = (campaign: CampaignDetail): boolean => {
  const { status, decision, started_at } = campaign;
  const plan = planOf(campaign);
  return (
    plan.kind === 'ab_test' &&
    plan.decide_by !== 'never' &&
    decision === null &&
    started_at !== null &&
    (status === 'running' || status === 'deciding')
  );
};

const Decided = ({ decision: { winner, sent, reason, at } }: { decision: Decision }): ReactNode => (
  <Alert
    color={winner === null ? 'yellow' : 'teal'}
    icon={<IconTrophy aria-hidden />}
    title={winner === null ? words.noWinner : words.hasWon(winner)}
  >
    {words.reasons[reason]} {winner === null && words.fallbackSent(sent)} {words.decidedAt(formatTime(at))}
  </Alert>
);
