import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { campaignsKey } from '../data/campaigns/queries.ts';
import type { CampaignDetail } from '../data/campaigns/resource.ts';
import { deliveriesKey } from '../data/deliveries/queries.ts';
import { deleteDraft, draftsKey } from '../data/drafts/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { breakingKey } from '../data/organization/queries.ts';
import { actOf } from '../notification/campaign.ts';
import { needsApproval } from '../notification/needs-approval.ts';
import { createSendKeys } from '../notification/send-keys.ts';
import { type ComposeValues, filesOf } from '../notification/values.ts';
import { t } from '../texts/t.ts';
import { toastDone } from '../ui/toast.ts';
import { dropDraft } from './draft.ts';
import { change, create, type Sending } from './send.ts';

interface SendEndings {
  /** The campaign that is changed. Null: something new is sent. */
  readonly changed: CampaignDetail | null;
  /** The team's draft of it, which is done with then. */
  readonly draft: number | null;
  readonly onSent: () => void;
  readonly onError: (error: unknown) => void;
}

/** Creates the delivery or the campaign, and leads to its page. */
export function useSend({ changed, draft, onSent, onError }: SendEndings) {
  const app = useApp();
  const { identifier } = app;
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [keys] = useState(createSendKeys);
  const doneOf = (values: ComposeValues): string => {
    if (needsApproval(app, values)) return t.approvals.asked;
    return changed === null ? t.compose.sent[actOf(values)] : t.compose.changeAct.done;
  };
  /** One that stays is deleted by hand: what was sent was sent. */
  const forgetDraft = async (id: number): Promise<void> => {
    await deleteDraft(api, identifier, id).catch(() => {});
    await queries.invalidateQueries({ queryKey: draftsKey(identifier) });
  };
  return useMutation({
    mutationFn: (sending: Sending) =>
      changed === null
        ? create(api, app, sending, keys.keyFor(sending, filesOf(sending.values)))
        : change(api, app, sending.values, changed),
    onSuccess: async ({ kind, id }, { values }) => {
      keys.used();
      onSent();
      if (changed === null) dropDraft(identifier);
      void queries.invalidateQueries({ queryKey: deliveriesKey(identifier) });
      void queries.invalidateQueries({ queryKey: campaignsKey(identifier) });
      void queries.invalidateQueries({ queryKey: breakingKey });
      if (draft !== null) void forgetDraft(draft);
      toastDone(doneOf(values));
      await (kind === 'campaign'
        ? navigate({
            to: '/apps/$app/campaigns/$campaign',
            params: { app: identifier, campaign: String(id) },
          })
        : navigate({
            to: '/apps/$app/deliveries/$delivery',
            params: { app: identifier, delivery: String(id) },
          }));
    },
    onError,
  });
}
