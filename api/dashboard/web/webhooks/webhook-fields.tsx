import { TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Webhook, WebhookType } from '../data/webhooks/queries.ts';
import { t } from '../texts/t.ts';
import { missingTypes, TypeFields } from './type-fields.tsx';
import { usualTypes } from './types.ts';

/** Named as the API names them: its errors are shown at the fields. */
export interface WebhookValues {
  url: string;
  description: string;
  types: WebhookType[];
}

export function useWebhookForm(
  given: Pick<Webhook, keyof WebhookValues> | null,
): UseFormReturnType<WebhookValues> {
  const { url = '', description = '', types = usualTypes } = given ?? {};
  return useForm<WebhookValues>({
    initialValues: { url, description, types },
    validate: {
      url: (text) => (text.trim() === '' ? t.webhooks.urlMissing : null),
      types: missingTypes,
    },
  });
}

export const WebhookFields = ({ form }: { form: UseFormReturnType<WebhookValues> }): ReactNode => (
  <>
    <TextInput
      label={t.webhooks.url}
      description={t.webhooks.urlHint}
      required
      maxLength={2_000}
      inputMode="url"
      autoComplete="off"
      data-autofocus
      {...form.getInputProps('url')}
    />
    <TextInput
      label={t.webhooks.descriptionField}
      maxLength={255}
      autoComplete="off"
      {...form.getInputProps('description')}
    />
    <TypeFields {...form.getInputProps('types')} />
  </>
);
