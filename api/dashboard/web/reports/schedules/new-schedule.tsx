import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useMe } from '../../data/account/use-me.ts';
import { dayName, everyDay } from '../../data/campaigns/schedule.ts';
import { Problem } from '../../data/http/problem.ts';
import { ownTimeZone, zonesByUse } from '../../format/time-zones.ts';
import { t } from '../../texts/t.ts';
import { FormModal } from '../../ui/form-modal.tsx';
import { toastDone } from '../../ui/toast.ts';
import { type Format, formats } from '../report.ts';
import type { SavedReport } from '../saved-report.ts';
import type { Ask } from '../use-jobs.ts';
import type { Schedule } from './answers.ts';
import { cronOf, type Rhythm, rhythms } from './when.ts';

const words = t.reportSchedules;

interface NewScheduleProps {
  readonly reports: readonly SavedReport[];
  readonly hasMail: boolean;
  readonly ask: Ask;
  readonly onMade: (schedule: Schedule) => void;
  readonly onClose: () => void;
}

type Place = 'email' | 'webhook' | 'bucket';

interface Values {
  readonly report: string;
  readonly rhythm: Rhythm;
  readonly weekday: string;
  readonly time: string;
  readonly timezone: string;
  readonly format: Format;
  readonly to: Place;
  readonly addresses: string;
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
}

const missing =
  (place: Place, why: string) =>
  (text: string, { to }: Values): string | null =>
    to === place && text.trim() === '' ? why : null;

/** Chooses a saved report, when it is made, and where its file goes. */
export function NewSchedule({ reports, hasMail, ask, onMade, onClose }: NewScheduleProps): ReactNode {
  const { user } = useMe();
  const form = useForm<Values>({
    initialValues: {
      report: String(reports[0]?.id ?? ''),
      ...{ rhythm: 'daily', weekday: '1', time: '07:00' },
      timezone: ownTimeZone(),
      format: 'xlsx',
      to: hasMail ? 'email' : 'webhook',
      ...{ addresses: user.email, url: '' },
      ...{ bucket: '', region: '', keyId: '', secret: '' },
    },
    validate: {
      time: (time, { rhythm }) => (rhythm === 'final' || time !== '' ? null : words.timeMissing),
      addresses: (text, { to }) =>
        to === 'email' && addressesIn(text).length === 0 ? words.toMissing : null,
      url: missing('webhook', words.toMissing),
      bucket: missing('bucket', words.toMissing),
      keyId: missing('bucket', words.bucket.keyMissing),
      secret: missing('bucket', words.bucket.keyMissing),
    },
  });
  const { rhythm } = form.values;
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.make}
      form={form}
      act={words.make}
      run={async (values) => {
        const answer = await ask({ method: 'POST', path: '/schedules', body: bodyOf(values) }).catch(
          (error: unknown) => {
            throw atFields(error);
          },
        );
        const { data } = (await answer.json()) as { readonly data: Schedule };
        toastDone(words.made(data.saved_name));
        onMade(data);
      }}
    >
      <NativeSelect
        label={words.report}
        data={reports.map(({ id, name }) => ({ value: String(id), label: name }))}
        data-autofocus
        {...form.getInputProps('report')}
      />
      <NativeSelect
        label={words.when.title}
        data={rhythms.map((value) => ({ value, label: words.when[value] }))}
        {...form.getInputProps('rhythm')}
      />
      {rhythm !== 'final' && <TimeFields form={form} />}
      <NativeSelect
        label={words.format}
        data={formats.map((value) => ({ value, label: t.reports.formats[value] }))}
        {...form.getInputProps('format')}
      />
      <PlaceFields form={form} hasMail={hasMail} />
    </FormModal>
  );
}

const TimeFields = ({ form }: { readonly form: UseFormReturnType<Values> }): ReactNode => (
  <>
    {form.values.rhythm === 'weekly' && (
      <NativeSelect
        label={words.weekday}
        data={everyDay.map((day) => ({ value: String(day), label: dayName(day) }))}
        {...form.getInputProps('weekday')}
      />
    )}
    <TextInput type="time" label={words.time} {...form.getInputProps('time')} />
    <NativeSelect label={words.timezone} data={zonesByUse()} {...form.getInputProps('timezone')} />
  </>
);

interface PlaceFieldsProps {
  readonly form: UseFormReturnType<Values>;
  readonly hasMail: boolean;
}

const PlaceFields = ({ form, hasMail }: PlaceFieldsProps): ReactNode => (
  <>
    <NativeSelect
      label={words.to}
      data={[
        ...(hasMail ? [{ value: 'email', label: words.kinds.email }] : []),
        { value: 'webhook', label: words.kinds.webhook },
        { value: 'bucket', label: words.kinds.bucket },
      ]}
      {...form.getInputProps('to')}
    />
    {form.values.to === 'email' && (
      <TextInput
        label={words.addresses}
        description={words.addressesAbout}
        {...form.getInputProps('addresses')}
      />
    )}
    {form.values.to === 'bucket' && <BucketFields form={form} />}
    {form.values.to === 'webhook' && (
      <TextInput
        label={words.url}
        description={words.urlAbout}
        placeholder="https://"
        {...form.getInputProps('url')}
      />
    )}
  </>
);

const BucketFields = ({ form }: { readonly form: UseFormReturnType<Values> }): ReactNode => (
  <>
    <TextInput
      label={words.bucket.url}
      description={words.bucket.urlAbout}
      placeholder="https://"
      {...form.getInputProps('bucket')}
    />
    <TextInput label={words.bucket.region} placeholder="us-east-1" {...form.getInputProps('region')} />
    <TextInput
      label={words.bucket.keyId}
      description={words.bucket.keyAbout}
      autoComplete="off"
      {...form.getInputProps('keyId')}
    />
    <PasswordInput
      label={words.bucket.secret}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': words.bucket.showSecret }}
      {...form.getInputProps('secret')}
    />
  </>
);

const addressesIn = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

function bodyOf(values: Values): object {
  const { report, rhythm, timezone, format } = values;
  const cron = cronOf(values);
  return {
    saved_id: Number(report),
    ...(rhythm === 'final' ? { when_final: true } : { cron, timezone }),
    format,
    ...placeOf(values),
  };
}

function placeOf({ to, addresses, url, bucket, region, keyId, secret }: Values): object {
  if (to === 'email') return { email: { addresses: addressesIn(addresses) } };
  if (to === 'webhook') return { webhook: { url: url.trim() } };
  const given = region.trim() === '' ? {} : { region: region.trim() };
  return { bucket: { url: bucket.trim(), ...given, key_id: keyId.trim(), secret: secret.trim() } };
}

const fieldOf: Readonly<Record<string, keyof Values>> = {
  saved_id: 'report',
  cron: 'time',
  when_final: 'rhythm',
  email: 'addresses',
  webhook: 'url',
  bucket: 'bucket',
  'bucket.region': 'region',
  'bucket.key_id': 'keyId',
  'bucket.secret': 'secret',
};

/** The API's fields are those of the body. */
function atFields(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const fields = Object.entries(error.fields).map(([field, text]) => {
    const [name = field] = field.split('.');
    return [fieldOf[field] ?? fieldOf[name] ?? name, text];
  });
  return new Problem(error.status, error.message, Object.fromEntries(fields), error.answer);
}
