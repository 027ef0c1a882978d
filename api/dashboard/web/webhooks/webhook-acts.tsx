import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Webhook } from '../data/webhooks/queries.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { FormModal } from '../ui/form-modal.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';
import { useActs } from './use-acts.ts';
import { useWebhookForm, WebhookFields } from './webhook-fields.tsx';

/** What can be done with a webhook. */
export function WebhookActs({ webhook }: { webhook: Webhook }): ReactNode {
  const acts = useActs(webhook.id);
  const [changing, setChanging] = useState(false);
  const ping = useMutation({
    mutationFn: acts.ping,
    onSuccess: () => toastDone(t.webhooks.pinged),
    onError: toastProblem,
  });
  const turn = useMutation({
    mutationFn: (enabled: boolean) => acts.change({ enabled }),
    onSuccess: (_, enabled) => toastDone(enabled ? t.webhooks.nowEnabled : t.webhooks.nowDisabled),
    onError: toastProblem,
  });
  return (
    <>
      {webhook.enabled && (
        <Button variant="default" loading={ping.isPending} onClick={() => ping.mutate()}>
          {t.webhooks.ping}
        </Button>
      )}
      <Button variant="default" onClick={() => setChanging(true)}>
        {t.actions.edit}
      </Button>
      <Button variant="default" loading={turn.isPending} onClick={() => turn.mutate(!webhook.enabled)}>
        {webhook.enabled ? t.webhooks.disable : t.webhooks.enable}
      </Button>
      <Rotate webhook={webhook} />
      <Delete webhook={webhook} />
      {changing && <Change webhook={webhook} onClose={() => setChanging(false)} />}
    </>
  );
}

function Change({ webhook, onClose }: { webhook: Webhook; onClose: () => void }): ReactNode {
  const { change } = useActs(webhook.id);
  const form = useWebhookForm(webhook);
  return (
    <FormModal
      opened
      onClose={onClose}
      title={t.webhooks.changeTitle}
      form={form}
      act={t.actions.save}
      run={async ({ url, description, types }) => {
        await change({ url: url.trim(), description: description.trim(), types });
        toastDone(t.webhooks.changed);
      }}
    >
      <WebhookFields form={form} />
    </FormModal>
  );
}

function Rotate({ webhook }: { webhook: Webhook }): ReactNode {
  const { rotate } = useActs(webhook.id);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <ConfirmedButton
        label={t.webhooks.rotate}
        title={t.webhooks.rotateQuestion}
        text={t.webhooks.rotateConsequence}
        act={t.webhooks.rotateAct}
        harmless
        run={async () => setSecret(await rotate())}
        done={t.webhooks.rotated}
      />
      {secret !== null && <SecretOnce secret={secret} words={t.webhooks} onClose={() => setSecret(null)} />}
    </>
  );
}

function Delete({ webhook }: { webhook: Webhook }): ReactNode {
  const { remove } = useActs(webhook.id);
  const navigate = useNavigate();
  return (
    <ConfirmedButton
      label={t.actions.delete}
      title={t.webhooks.question}
      text={t.webhooks.consequence}
      act={t.webhooks.deleteAct}
      run={async () => {
        await remove();
        await navigate({ to: '/settings/webhooks' });
      }}
      done={t.webhooks.deleted}
    />
  );
}
