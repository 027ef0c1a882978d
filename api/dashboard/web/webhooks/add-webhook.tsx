import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { dataOf } from '../http/api.ts';
import { useApi } from '../http/services.tsx';
import { FormModal } from '../shell/form-modal.tsx';
import { SecretOnce } from '../shell/secret-once.tsx';
import { t } from '../texts/t.ts';
import { webhooksKey } from './queries.ts';
import { useWebhookForm, WebhookFields } from './webhook-fields.tsx';

/** Adds a webhook; its secret is shown once. */
export function AddWebhook({ onClose }: { onClose: () => void }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const form = useWebhookForm(null);
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretOnce secret={secret} words={t.webhooks} onClose={onClose} />;
  return (
    <FormModal
      opened
      onClose={onClose}
      title={t.webhooks.add}
      form={form}
      act={t.webhooks.make}
      // The secret replaces this dialog.
      onDone={() => {}}
      run={async (values) => {
        const body = { ...values, url: values.url.trim(), description: values.description.trim() };
        const made = await dataOf(api.POST('/api/v1/client/webhooks', { body }));
        await queries.invalidateQueries({ queryKey: webhooksKey });
        setSecret(made.secret);
      }}
    >
      <WebhookFields form={form} />
    </FormModal>
  );
}
