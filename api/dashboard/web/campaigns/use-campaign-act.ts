import { useMutation, useQueryClient } from '@tanstack/react-query';
import { campaignsKey } from '../data/campaigns/queries.ts';
import { deliveriesKey } from '../data/deliveries/queries.ts';
import { toastDone, toastProblem } from '../ui/toast.ts';

/** Does something to a campaign, says how it ended, and reads the campaign and its deliveries again. */
export function useCampaignAct<Given>(
  app: string,
  act: (given: Given) => Promise<unknown>,
  { done, settled }: { readonly done: string; readonly settled: () => void },
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => toastDone(done),
    // It may have moved on while one was asked.
    onError: toastProblem,
    onSettled: () => {
      settled();
      void queries.invalidateQueries({ queryKey: deliveriesKey(app) });
      return queries.invalidateQueries({ queryKey: campaignsKey(app) });
    },
  });
}
