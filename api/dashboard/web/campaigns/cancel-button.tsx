import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useState } from 'react';
import { type CampaignDetail, cancelCampaign } from '../data/campaigns/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { usePageAct } from '../frame/use-page-act.ts';
import { t } from '../texts/t.ts';
import { Confirm } from '../ui/confirm.tsx';
import { useCampaignAct } from './use-campaign-act.ts';

const words = t.campaign;

/** Cancels the campaign with all of its deliveries, once one has said so twice. */
export function CancelButton({ app, campaign }: { app: string; campaign: CampaignDetail }): ReactNode {
  const [asked, setAsked] = useState(false);
  const ask = useCallback(() => setAsked(true), []);
  usePageAct(words.cancelThis, ask);
  const api = useApi();
  const cancel = useCampaignAct(app, () => cancelCampaign(api, app, campaign.id), {
    done: words.cancelled,
    settled: () => setAsked(false),
  });
  return (
    <>
      <Button color="red" variant="outline" onClick={ask}>
        {words.cancel}
      </Button>
      <Confirm
        opened={asked}
        onClose={() => setAsked(false)}
        title={words.cancelTitle}
        act={words.cancelAct}
        keep={words.cancelKeep}
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined)}
      >
        {campaign.deliveries === 0 ? words.cancelWaiting : words.cancelRunning}
      </Confirm>
    </>
  );
}
