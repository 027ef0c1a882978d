import {
  Alert,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  NativeSelect,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { appsQuery } from '../data/apps/queries.ts';
import { dataOf } from '../data/http/api.ts';
import { useApi, useServices } from '../data/http/services.tsx';
import { type Ability, type NewToken, tokensKey } from '../data/organization/queries.ts';
import { t } from '../texts/t.ts';
import { Snippet } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormModal } from '../ui/form-modal.tsx';

const abilities = Object.keys(t.tokens.labels) as Ability[];

// In the order people read them: as keys, numbers would come before the empty text.
const lives = (['', '30', '90', '365'] as const).map((value) => ({ value, label: t.tokens.lives[value] }));
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** Makes a token, and shows it once. */
export function CreateToken({ onClose }: { onClose: () => void }): ReactNode {
  const [made, setMade] = useState<NewToken | null>(null);
  const { baseUrl } = useServices();
  if (made === null) return <NewTokenForm onMade={setMade} onClose={onClose} />;
  const curl = `curl ${baseUrl}/api/v1/client/apps \\\n  -H 'Authorization: Bearer ${made.token}'`;
  return (
    <ShowOnce made={made} onClose={onClose}>
      {made.note === null ? null : <Alert color="yellow">{made.note}</Alert>}
      <Text size="sm">{t.tokens.tryIt}</Text>
      <Snippet text={curl} label={t.tokens.tryIt} />
    </ShowOnce>
  );
}

interface FormProps {
  readonly onMade: (token: NewToken) => void;
  readonly onClose: () => void;
}

interface TokenValues {
  name: string;
  abilities: Ability[];
  /** In this many days; empty: never. */
  ends: keyof typeof t.tokens.lives;
  /** Empty: all. */
  apps: string[];
  /** Empty: any. */
  addresses: string[];
}

function NewTokenForm({ onMade, onClose }: FormProps): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm<TokenValues>({
    initialValues: { name: '', abilities: [], ends: '', apps: [], addresses: [] },
    validate: {
      name: (name) => (name.trim() === '' ? t.tokens.nameMissing : null),
      abilities: (chosen) => (chosen.length === 0 ? t.tokens.abilitiesMissing : null),
    },
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={t.tokens.create}
      form={form}
      act={t.tokens.make}
      // The new secret replaces this dialog.
      onDone={() => {}}
      run={async ({ name, abilities: chosen, ends, apps, addresses }) => {
        const body = {
          name: name.trim(),
          abilities: chosen,
          ...(ends === '' ? {} : { expires_at: inDays(Number(ends)) }),
          ...(apps.length === 0 ? {} : { apps }),
          ...(addresses.length === 0 ? {} : { addresses }),
        };
        const token = await dataOf(api.POST('/api/v1/account/tokens', { body }));
        await queries.invalidateQueries({ queryKey: tokensKey });
        onMade(token);
      }}
    >
      <TextInput
        label={t.tokens.name}
        description={t.tokens.nameHint}
        required
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <AbilityFields form={form} />
      <NativeSelect
        label={t.tokens.ends}
        description={t.tokens.endsHint}
        data={lives}
        {...form.getInputProps('ends')}
      />
      <LimitFields form={form} />
    </FormModal>
  );
}

function LimitFields({ form }: { form: UseFormReturnType<TokenValues> }): ReactNode {
  const apps = useQuery(appsQuery(useApi())).data?.data ?? [];
  return (
    <>
      <MultiSelect
        label={t.tokens.apps}
        description={t.tokens.appsHint}
        data={apps.map(({ identifier, name }) => ({ value: identifier, label: name }))}
        searchable
        {...form.getInputProps('apps')}
      />
      <TagsInput
        label={t.tokens.addresses}
        description={t.tokens.addressesHint}
        acceptValueOnBlur
        {...form.getInputProps('addresses')}
      />
    </>
  );
}

function AbilityFields({ form }: { form: UseFormReturnType<TokenValues> }): ReactNode {
  return (
    <Checkbox.Group label={t.tokens.abilities} required {...form.getInputProps('abilities')}>
      <Stack gap="xs" mt="xs">
        {abilities.map((ability) => (
          <Checkbox
            key={ability}
            value={ability}
            label={t.tokens.labels[ability]}
            description={t.tokens.allows[ability]}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

interface ShowOnceProps {
  readonly made: { readonly name: string; readonly token: string };
  readonly onClose: () => void;
  /** What to do with it. */
  readonly children?: ReactNode;
}

export function ShowOnce({ made, onClose, children }: ShowOnceProps): ReactNode {
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t.tokens.madeTitle(made.name)}
      // One click beside it would lose the token permanently.
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow">{t.tokens.once}</Alert>
        <Snippet text={made.token} label={t.tokens.token} />
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t.tokens.kept}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
