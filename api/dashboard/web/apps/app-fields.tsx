import { ActionIcon, Button, Group, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useMay } from '../data/account/for-role.tsx';
import { useApi } from '../data/http/services.tsx';
import { usersQuery } from '../data/organization/queries.ts';
import { timeZones } from '../format/time-zones.ts';
import { lazyPart } from '../frame/lazy-part.tsx';
import { t } from '../texts/t.ts';
import { IconPlus, IconTrash } from '../ui/icons.ts';
import { Section } from '../ui/section.tsx';
import { type AppValues, approvalRules, capWindows, MAX_QUERY_PARAMS, ttlUnits } from './values.ts';

const PruneFields = lazyPart(() => import('./prune-fields.tsx'));

const MOST_SHOWN = 50;
/** The server may write a zone by another of its names. */
const zonesWith = (zone: string): string[] => [...new Set([...timeZones(), zone])];

type AppForm = UseFormReturnType<AppValues>;
export interface Fields {
  readonly form: AppForm;
}

export const SiteFields = ({ form }: Fields): ReactNode => (
  <Section title={t.appForm.site}>
    <TextInput label={t.appForm.name} required maxLength={255} {...form.getInputProps('name')} />
    <TextInput
      label={t.appForm.siteDomain}
      description={t.appForm.siteHint}
      required
      maxLength={255}
      {...form.getInputProps('site_domain')}
    />
    <Select
      label={t.appForm.timeZone}
      description={t.appForm.timeZoneHint}
      searchable
      allowDeselect={false}
      limit={MOST_SHOWN}
      data={zonesWith(form.getValues().time_zone)}
      {...form.getInputProps('time_zone')}
    />
  </Section>
);

export const CapFields = ({ form }: Fields): ReactNode => (
  <Section title={t.appForm.cap} description={t.appForm.capHint}>
    <Switch label={t.appForm.capped} {...form.getInputProps('capped', { type: 'checkbox' })} />
    {form.getValues().capped && (
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <NumberInput
          label={t.appForm.capMost}
          min={1}
          max={100}
          allowDecimal={false}
          {...form.getInputProps('frequency_cap_max_notifications')}
        />
        <Select
          label={t.appForm.capWindow}
          data={capWindows.map((minutes) => ({ value: String(minutes), label: t.appForm.windows[minutes] }))}
          {...form.getInputProps('frequency_cap_window_minutes')}
        />
      </Group>
    )}
  </Section>
);

export const GuardFields = ({ form }: Fields): ReactNode => (
  <Section title={t.appForm.guard} description={t.appForm.guardHint}>
    <Switch label={t.appForm.guardOn} {...form.getInputProps('guarded', { type: 'checkbox' })} />
    {form.getValues().guarded && (
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <NumberInput
          label={t.appForm.guardAndroid}
          min={1}
          max={1_000}
          allowDecimal={false}
          {...form.getInputProps('guard_android')}
        />
        <NumberInput
          label={t.appForm.guardDesktop}
          min={1}
          max={1_000}
          allowDecimal={false}
          {...form.getInputProps('guard_desktop')}
        />
        <NumberInput
          label={t.appForm.guardDays}
          min={1}
          max={90}
          allowDecimal={false}
          {...form.getInputProps('guard_days')}
        />
      </Group>
    )}
  </Section>
);

export const PreferencesFields = ({ form }: Fields): ReactNode => (
  <Section title={t.appForm.preferences} description={t.appForm.preferencesHint}>
    <Switch
      label={t.appForm.preferencesOn}
      {...form.getInputProps('preferences_button', { type: 'checkbox' })}
    />
    <Switch
      label={t.pictures.appBadge}
      description={t.pictures.appBadgeHint}
      {...form.getInputProps('app_badge', { type: 'checkbox' })}
    />
  </Section>
);

export const QuietFields = ({ form }: Fields): ReactNode => (
  <Section title={t.appForm.quiet} description={t.appForm.quietHint}>
    <Switch label={t.appForm.quietOn} {...form.getInputProps('quiet', { type: 'checkbox' })} />
    {form.getValues().quiet && (
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <TextInput type="time" label={t.appForm.quietFrom} {...form.getInputProps('quiet_from')} />
        <TextInput type="time" label={t.appForm.quietTo} {...form.getInputProps('quiet_to')} />
        <Select
          label={t.appForm.quietZone}
          allowDeselect={false}
          data={(['reader', 'app'] as const).map((value) => ({ value, label: t.appForm.quietZones[value] }))}
          {...form.getInputProps('quiet_zone')}
        />
      </Group>
    )}
  </Section>
);

export const ApprovalFields = ({ form }: Fields): ReactNode => {
  const isAdmin = useMay('admin');
  const team = useQuery({ ...usersQuery(useApi(), undefined, 1), enabled: isAdmin });
  const isAlone = team.data?.meta.total === 1;
  return (
    <Section title={t.approvals.setting} description={t.approvals.settingAbout}>
      <Select
        label={t.approvals.rule}
        description={isAdmin ? isAlone && t.approvals.alone : t.approvals.adminsOnly}
        disabled={!isAdmin}
        allowDeselect={false}
        data={approvalRules.map((value) => ({
          value,
          label: t.approvals.rules[value],
          disabled: isAlone && value !== 'none',
        }))}
        {...form.getInputProps('approval')}
      />
    </Section>
  );
};

const units = Object.keys(ttlUnits) as (keyof typeof ttlUnits)[];

export const NotificationFields = ({ form }: Fields): ReactNode => (
  <Section title={t.appForm.notifications} description={t.appForm.notificationsHint}>
    <Group align="flex-start" grow preventGrowOverflow={false}>
      <NumberInput
        label={t.appForm.ttl}
        description={t.appForm.ttlHint}
        min={0}
        allowDecimal={false}
        {...form.getInputProps('ttl')}
      />
      <Select
        label={t.appForm.ttlUnit}
        description={t.appForm.ttlUnitHint}
        data={units.map((unit) => ({ value: unit, label: t.appForm.units[unit] }))}
        {...form.getInputProps('ttl_unit')}
      />
    </Group>
    <Switch
      label={t.appForm.requireInteraction}
      description={t.appForm.requireInteractionHint}
      {...form.getInputProps('default_require_interaction', { type: 'checkbox' })}
    />
    <Switch
      label={t.appForm.silent}
      description={t.appForm.silentHint}
      {...form.getInputProps('default_silent', { type: 'checkbox' })}
    />
    <TextInput
      label={t.appForm.vibrate}
      description={t.appForm.vibrateHint}
      placeholder="200, 100, 200"
      {...form.getInputProps('vibrate')}
    />
    <TextInput
      label={t.appForm.fallback}
      description={t.appForm.fallbackHint}
      placeholder={t.appForm.fallbackExample}
      maxLength={200}
      {...form.getInputProps('fallback_text')}
    />
  </Section>
);

export const QueryParamFields = ({ form }: Fields): ReactNode => {
  const { default_query_params: params } = form.getValues();
  return (
    <Section title={t.appForm.params} description={t.appForm.paramsHint}>
      <Stack gap="xs">
        {params.map((_, index) => (
          <Group key={String(index)} align="flex-start" wrap="nowrap" gap="xs">
            <TextInput
              flex={1}
              aria-label={t.appForm.paramKey(index + 1)}
              placeholder="utm_source"
              {...form.getInputProps(`default_query_params.${index}.key`)}
            />
            <TextInput
              flex={1}
              aria-label={t.appForm.paramValue(index + 1)}
              placeholder="push"
              {...form.getInputProps(`default_query_params.${index}.value`)}
            />
            <ActionIcon
              size={36}
              aria-label={t.appForm.paramRemove(index + 1)}
              onClick={() => form.removeListItem('default_query_params', index)}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={params.length >= MAX_QUERY_PARAMS}
          onClick={() => form.insertListItem('default_query_params', { key: '', value: '' })}
        >
          {t.appForm.paramAdd}
        </Button>
      </div>
    </Section>
  );
};

export const CleaningFields = ({ form }: Fields): ReactNode => (
  <Section title={t.appForm.cleaning} description={t.appForm.cleaningHint}>
    <Switch
      label={t.appForm.autoDelete}
      {...form.getInputProps('auto_delete_unsubscribed_enabled', { type: 'checkbox' })}
    />
    {form.getValues().auto_delete_unsubscribed_enabled && (
      <NumberInput
        label={t.appForm.autoDeleteDays}
        min={1}
        max={365}
        allowDecimal={false}
        maw={240}
        {...form.getInputProps('auto_delete_unsubscribed_days')}
      />
    )}
    <Suspense>
      <PruneFields form={form} />
    </Suspense>
  </Section>
);
