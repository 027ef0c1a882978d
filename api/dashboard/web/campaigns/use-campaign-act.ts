import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deliveriesKey } from '../deliveries/queries.ts';
import { toastDone, toastProblem } from '../shell/toast.ts';
import { campaignsKey } from './queries.ts';

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
