import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useApp } from '../../data/apps/use-app.ts';
import { campaignsKey } from '../../data/campaigns/queries.ts';
import { toastDone } from '../../ui/toast.ts';

/** Waits until it is saved, says so, and leads to the feed's page. */
export function useSaveFeed(done: string): (saving: Promise<{ readonly id: number }>) => Promise<void> {
  const { identifier: app } = useApp();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (saving) => {
    const { id } = await saving;
    toastDone(done);
    void queries.invalidateQueries({ queryKey: campaignsKey(app) });
    await navigate({ to: '/apps/$app/campaigns/$campaign', params: { app, campaign: String(id) } });
  };
}
