import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useApp } from '../apps/use-app.ts';
import { deliveriesKey } from '../deliveries/queries.ts';
import { useApi } from '../http/services.tsx';
import { breakingKey } from '../settings/queries.ts';
import { toastDone } from '../shell/toast.ts';
import { t } from '../texts/t.ts';
import { dropDraft } from './draft.ts';
import { createDelivery, createSendKeys } from './send.ts';
import type { ComposeValues } from './values.ts';

interface SendEndings {
  readonly onSent: () => void;
  readonly onError: (error: unknown) => void;
}

/** Creates the delivery and leads to its page. */
export function useSend({ onSent, onError }: SendEndings) {
  const { identifier } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [keys] = useState(createSendKeys);
  return useMutation({
    mutationFn: (values: ComposeValues) => createDelivery(api, identifier, values, keys.keyFor(values)),
    onSuccess: async (delivery, { mode }) => {
      keys.used();
      onSent();
      dropDraft(identifier);
      void queries.invalidateQueries({ queryKey: deliveriesKey(identifier) });
      void queries.invalidateQueries({ queryKey: breakingKey });
      toastDone(t.compose.sent[mode]);
      const params = { app: identifier, delivery: String(delivery.id) };
      await navigate({ to: '/apps/$app/deliveries/$delivery', params });
    },
    onError,
  });
}
