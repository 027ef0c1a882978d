import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { webhooksKey } from '../data/webhooks/queries.ts';
import { t } from '../texts/t.ts';
import { FormModal } from '../ui/form-modal.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
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
