import { Alert, Button, Checkbox, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { dataOf } from '../data/http/api.ts';
import { wordsOf } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { reportDomainsQuery } from '../data/organization/queries.ts';
import { t } from '../texts/t.ts';

const words = t.reports;
/** The same each time: a new token takes the place of the one before. */
const NAME = 'Dashboard';

/** Makes a report token for domains that the operator granted, and uses it at once: nothing is pasted. */
export function GrantedForm({ onToken }: { onToken: (token: string) => void }): ReactNode {
  const api = useApi();
  const granted = useQuery(reportDomainsQuery(api));
  const [left, setLeft] = useState<readonly string[]>([]);
  const make = useMutation({
    mutationFn: (domains: string[]) =>
      dataOf(api.POST('/api/v1/account/report-tokens', { body: { name: NAME, domains } })),
    onSuccess: ({ token }) => onToken(token),
  });
  const domains = granted.data?.domains ?? [];
  if (domains.length === 0) return null;
  const chosen = domains.filter((domain) => !left.includes(domain));
  return (
    <Paper withBorder p="xl">
      <Stack maw={640}>
        <Title order={2} size="h4">
          {words.granted}
        </Title>
        <Text>{words.grantedAbout}</Text>
        {make.isError && (
          <Alert color="red" role="alert">
            {wordsOf(make.error)}
          </Alert>
        )}
        <Checkbox.Group
          label={words.grantedDomains}
          value={chosen}
          onChange={(value) => setLeft(domains.filter((domain) => !value.includes(domain)))}
        >
          <Stack gap="xs" mt="xs">
            {domains.map((domain) => (
              <Checkbox key={domain} value={domain} label={domain} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Group>
          <Button
            disabled={chosen.length === 0}
            loading={make.isPending}
            onClick={() => make.mutate([...chosen])}
          >
            {words.grantedUse}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
