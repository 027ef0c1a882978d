import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { correctDelivery, type Delivery, deliveriesKey } from '../data/deliveries/queries.ts';
import { isActive } from '../data/deliveries/status.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber } from '../format/format.ts';
import { usePageAct } from '../frame/use-page-act.ts';
import { TranslationInputs } from '../notification/languages/translation-inputs.tsx';
import { bodyOfTranslations, translationValues } from '../notification/languages/values.ts';
import { isHeldAt } from '../notification/needs-approval.ts';
import { addressOf } from '../notification/values.ts';
import { Warned } from '../notification/warnings/warned.tsx';
import { warnedBelow } from '../notification/warnings/warned-below.tsx';
import { textsAreThere, WordsInputs } from '../notification/words-inputs.tsx';
import { t } from '../texts/t.ts';
import { FormModal } from '../ui/form-modal.tsx';
import { toastDone } from '../ui/toast.ts';

const words = t.correction;

interface Props {
  readonly app: string;
  readonly delivery: Delivery;
}

/** Stops a delivery that says something wrong, and sends another text to those who got it. */
export function CorrectButton({ app, delivery }: Props): ReactNode {
  const [opened, setOpened] = useState(false);
  const open = useCallback(() => setOpened(true), []);
  usePageAct(words.correctThis, open);
  return (
    <>
      <Button variant="default" onClick={open}>
        {words.correct}
      </Button>
      {/* Opened again it begins with the first text. */}
      {opened && <CorrectDialog app={app} delivery={delivery} onClose={() => setOpened(false)} />}
    </>
  );
}

function CorrectDialog({ app, delivery, onClose }: Props & { readonly onClose: () => void }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isHeld = isHeldAt(useApp().approval, delivery.lane);
  const before = translationValues(delivery.translations);
  const initialValues = {
    ...{ title: delivery.title, body: delivery.body, url: delivery.url },
    translations: before,
  };
  const form = useForm({
    initialValues,
    validate: {
      ...textsAreThere,
      title: (text, values) => textsAreThere.title(text) ?? (isSame(values) ? words.same : null),
      translations: { title: textsAreThere.title, body: textsAreThere.body },
    },
  });
  function isSame({ title, body, url, translations }: typeof initialValues): boolean {
    const isMain = title === delivery.title && body === delivery.body && addressOf(url) === delivery.url;
    return isMain && JSON.stringify(translations) === JSON.stringify(before);
  }
  const correct = async ({ title, body, url, translations }: typeof form.values): Promise<void> => {
    const { id, approval } = await correctDelivery(api, app, delivery, {
      ...{ title, body, url: addressOf(url) },
      translations: bodyOfTranslations(translations, delivery.action_buttons, addressOf),
    });
    toastDone(approval === null ? words.done : t.approvals.asked);
    void queries.invalidateQueries({ queryKey: deliveriesKey(app) });
    void navigate({ to: '/apps/$app/deliveries/$delivery', params: { app, delivery: String(id) } });
  };
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.title}
      form={form}
      act={isHeld ? t.approvals.ask : isActive(delivery) ? words.actNow : words.act}
      run={correct}
    >
      {isHeld && <Text size="sm">{t.approvals.before}</Text>}
      <Text size="sm">
        {isActive(delivery) && `${words.stops} `}
        {words.goesTo(formatNumber(delivery.success_count))} {words.replaces}
      </Text>
      <Warned notification={form.getValues()}>
        <WordsInputs inputOf={form.getInputProps} />
        <TranslationInputs translations={form.getValues().translations} inputOf={form.getInputProps} />
        <TextInput
          label={t.compose.url}
          required
          inputMode="url"
          {...warnedBelow('/url')}
          {...form.getInputProps('url')}
        />
      </Warned>
      <Text size="sm" c="dimmed">
        {words.onApple}
      </Text>
    </FormModal>
  );
}
