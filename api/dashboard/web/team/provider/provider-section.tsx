import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  type Fault,
  type ProviderPage,
  providerKey,
  providerQuery,
} from '../../data/account/provider/queries.ts';
import { bodyOf, dataOf } from '../../data/http/api.ts';
import { useApi } from '../../data/http/services.tsx';
import { inOrganization } from '../../data/organization/queries.ts';
import { PasswordDialog } from '../../parts/password-dialog.tsx';
import { t } from '../../texts/t.ts';
import { Snippet } from '../../ui/copy.tsx';
import { Loaded } from '../../ui/loading.tsx';
import { Section } from '../../ui/section.tsx';
import { toastDone, toastProblem } from '../../ui/toast.ts';
import { ProviderForm } from './provider-form.tsx';

const words = t.provider;

interface OfOrganization {
  readonly organization: number | undefined;
}

/** The OpenID provider of an organization. */
export default function ProviderSection({ organization }: OfOrganization): ReactNode {
  const query = useQuery(providerQuery(useApi(), organization));
  return (
    <Section title={words.title} description={words.text}>
      <Loaded query={query}>{(page) => <State page={page} organization={organization} />}</Loaded>
    </Section>
  );
}

type Open = 'form' | 'remove' | null;

function State({ page, organization }: OfOrganization & { page: ProviderPage }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open>(null);
  const { provider } = page;
  const done = async (said: string): Promise<void> => {
    setOpen(null);
    toastDone(said);
    await queries.invalidateQueries({ queryKey: providerKey });
  };
  return (
    <Stack>
      <Text size="sm">{words.register}</Text>
      <Snippet text={page.redirect_uri} label={words.redirectUri} />
      {provider === null ? (
        <Text size="sm">{words.off}</Text>
      ) : (
        <>
          <Group gap="xs">
            <Text fw={600}>{provider.name}</Text>
            <Badge color={provider.enabled ? 'green' : 'gray'}>
              {provider.enabled ? words.isOn : words.isOff}
            </Badge>
          </Group>
          <Text size="sm">{words.logOutUri}</Text>
          <Snippet text={page.log_out_uri} label={words.logOutUri} />
          <Text size="sm">{words.logInUrl}</Text>
          <Snippet text={provider.log_in_url} label={words.logInUrl} />
          <Try organization={organization} />
        </>
      )}
      <Group>
        <Button variant="default" onClick={() => setOpen('form')}>
          {provider === null ? words.setUp : words.change}
        </Button>
        {provider !== null && (
          <Button variant="default" onClick={() => setOpen('remove')}>
            {words.remove}
          </Button>
        )}
      </Group>
      {open === 'form' && (
        <ProviderForm
          provider={provider}
          organization={organization}
          onClose={() => setOpen(null)}
          onSaved={() => void done(words.saved)}
        />
      )}
      {open === 'remove' && (
        <PasswordDialog
          title={words.remove}
          text={words.removeText}
          act={words.remove}
          onClose={() => setOpen(null)}
          run={async (body) => {
            await bodyOf(
              api.POST('/api/v1/account/provider/remove', {
                body: { ...body, ...inOrganization(organization) },
              }),
            );
            await done(words.removed);
          }}
        />
      )}
    </Stack>
  );
}

/** What is wrong with the provider, as it is saved. */
function Try({ organization }: OfOrganization): ReactNode {
  const api = useApi();
  const trial = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/api/v1/account/provider/try', { body: inOrganization(organization) })),
    onError: toastProblem,
  });
  return (
    <Stack gap="xs" aria-live="polite">
      <Group>
        <Button variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
          {words.try}
        </Button>
      </Group>
      {trial.data?.faults.length === 0 && <Alert color="green">{words.tried}</Alert>}
      {trial.data?.faults.map((fault) => (
        <FaultLine key={fault.code} fault={fault} />
      ))}
    </Stack>
  );
}

const FaultLine = ({ fault: { code, detail } }: { fault: Fault }): ReactNode => (
  <Alert color="red">
    {words.faults[code]}
    {detail !== null && (
      <Text size="sm" c="dimmed">
        {detail}
      </Text>
    )}
  </Alert>
);
