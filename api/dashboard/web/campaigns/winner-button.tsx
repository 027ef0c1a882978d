import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { decideCampaign } from '../data/campaigns/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { Confirm } from '../ui/confirm.tsx';
import { useCampaignAct } from './use-campaign-act.ts';

const words = t.campaign;

interface WinnerButtonProps {
  readonly app: string;
  readonly campaign: number;
  /** From 1. */
  readonly variant: number;
  readonly title: string;
  /** The campaign waits for it. */
  readonly awaited: boolean;
}

/** Names the winner by hand: what follows cannot be taken back, so it asks. */
export function WinnerButton({ app, campaign, variant, title, awaited }: WinnerButtonProps): ReactNode {
  const [asked, setAsked] = useState(false);
  const api = useApi();
  const decide = useCampaignAct(app, () => decideCampaign(api, app, campaign, variant), {
    done: words.decided,
    settled: () => setAsked(false),
  });
  return (
    <>
      <Button
        size="xs"
        variant={awaited ? 'light' : 'default'}
        aria-label={words.chooseVariant(variant)}
        onClick={() => setAsked(true)}
      >
        {words.choose}
      </Button>
      <Confirm
        opened={asked}
        onClose={() => setAsked(false)}
        title={words.chooseTitle(variant)}
        act={words.chooseAct}
        harmless
        busy={decide.isPending}
        onConfirm={() => decide.mutate(undefined)}
      >
        {words.chooseAbout(title)}
      </Confirm>
    </>
  );
}
