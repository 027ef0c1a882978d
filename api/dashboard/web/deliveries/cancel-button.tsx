import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { endedOf } from '../data/deliveries/counts.ts';
import { cancelDelivery, type Delivery, deliveriesKey } from '../data/deliveries/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber } from '../format/format.ts';
import { usePageAct } from '../frame/use-page-act.ts';
import { t } from '../texts/t.ts';
import { Confirm } from '../ui/confirm.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';

const words = t.delivery;

/** Cancels, once one has said so twice. */
export function CancelButton({ app, delivery }: { app: string; delivery: Delivery }): ReactNode {
  const [asked, setAsked] = useState(false);
  const ask = useCallback(() => setAsked(true), []);
  usePageAct(words.cancelThis, ask);
  const api = useApi();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelDelivery(api, app, String(delivery.id)),
    onSuccess: () => toastDone(words.cancelled),
    // It may have ended while one was asked.
    onError: toastProblem,
    onSettled: () => {
      setAsked(false);
      return queries.invalidateQueries({ queryKey: deliveriesKey(app) });
    },
  });
  const left = delivery.total_subscribers - endedOf(delivery);
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
        onConfirm={() => cancel.mutate()}
      >
        {delivery.started_at === null ? words.cancelWaiting : words.cancelRunning(formatNumber(left))}
      </Confirm>
    </>
  );
}
