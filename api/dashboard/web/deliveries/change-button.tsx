import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { changeDelivery, type Delivery, deliveriesKey } from '../data/deliveries/queries.ts';
import { isHeld } from '../data/deliveries/status.ts';
import { useApi } from '../data/http/services.tsx';
import { localOf, parseLocal, zoneAt } from '../format/local-time.ts';
import { usePageAct } from '../frame/use-page-act.ts';
import { TranslationInputs } from '../notification/languages/translation-inputs.tsx';
import { bodyOfTranslations, translationValues } from '../notification/languages/values.ts';
import { addressOf } from '../notification/values.ts';
import { Warned } from '../notification/warnings/warned.tsx';
import { warnedBelow } from '../notification/warnings/warned-below.tsx';
import { textsAreThere, WordsInputs } from '../notification/words-inputs.tsx';
import { t } from '../texts/t.ts';
import { Confirm } from '../ui/confirm.tsx';
import { FormModal } from '../ui/form-modal.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';

const words = t.change;

interface Props {
  readonly app: string;
  readonly delivery: Delivery;
}

/** While it waits for its time: another text, another time, or now. */
export function ChangeButtons({ app, delivery }: Props): ReactNode {
  const [opened, setOpened] = useState(false);
  const open = useCallback(() => setOpened(true), []);
  usePageAct(words.changeThis, open);
  return (
    <>
      {!isHeld(delivery) && <SendNow app={app} delivery={delivery} />}
      <Button variant="default" onClick={open}>
        {words.change}
      </Button>
      {/* Opened again it begins with what stands there then. */}
      {opened && <ChangeDialog app={app} delivery={delivery} onClose={() => setOpened(false)} />}
    </>
  );
}

function ChangeDialog({ app, delivery, onClose }: Props & { readonly onClose: () => void }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const { title, body, url, scheduled_at: before } = delivery;
  const translations = translationValues(delivery.translations);
  const at = before === null ? '' : localOf(new Date(before));
  const form = useForm({
    initialValues: { title, body, url, scheduled_at: at, translations },
    validate: {
      ...textsAreThere,
      translations: { title: textsAreThere.title, body: textsAreThere.body },
      scheduled_at: (text) => {
        // One that waits for approval may have no time: it goes then.
        if (text === '' && isHeld(delivery)) return null;
        return (parseLocal(text)?.getTime() ?? 0) > Date.now() ? null : words.future;
      },
    },
  });
  const run = async (values: typeof form.values): Promise<void> => {
    await changeDelivery(api, app, delivery, {
      ...{ title: values.title, body: values.body, url: addressOf(values.url) },
      ...(translations.length === 0
        ? {}
        : {
            translations: bodyOfTranslations(values.translations, delivery.action_buttons, addressOf),
          }),
      // A time that stays the same does not ask for quiet hours again.
      ...(values.scheduled_at === at ? {} : { scheduled_at: timeOf(values.scheduled_at) }),
    });
  };
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.title}
      form={form}
      act={words.act}
      run={run}
      onDone={() => {
        toastDone(words.done);
        void queries.invalidateQueries({ queryKey: deliveriesKey(app) });
        onClose();
      }}
    >
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
      <TextInput
        type="datetime-local"
        label={t.compose.scheduledAt}
        description={`${t.compose.zone(zoneAt(parseLocal(form.getValues().scheduled_at) ?? new Date()))}${isHeld(delivery) ? ` ${t.approvals.noTime}` : ''}`}
        min={localOf(new Date())}
        required={!isHeld(delivery)}
        {...form.getInputProps('scheduled_at')}
      />
    </FormModal>
  );
}

const timeOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

function SendNow({ app, delivery }: Props): ReactNode {
  const [asked, setAsked] = useState(false);
  const api = useApi();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () => changeDelivery(api, app, delivery, { scheduled_at: null }),
    onSuccess: () => toastDone(words.sentNow),
    onError: toastProblem,
    onSettled: () => {
      setAsked(false);
      return queries.invalidateQueries({ queryKey: deliveriesKey(app) });
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {words.now}
      </Button>
      <Confirm
        harmless
        opened={asked}
        onClose={() => setAsked(false)}
        title={words.nowTitle}
        act={words.now}
        busy={send.isPending}
        onConfirm={() => send.mutate()}
      >
        {words.nowAbout}
      </Confirm>
    </>
  );
}
