import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../data/http/services.tsx';
import { registerBrowser, testBrowsersKey, testBrowsersQuery } from '../data/test-browsers/queries.ts';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';

const words = t.tests;

/** A subscriber as one of the team's own browsers. */
export default function UseForTests({ app, subscriber }: { app: string; subscriber: number }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery(testBrowsersQuery(api, app));
  const register = useMutation({
    mutationFn: () => registerBrowser(api, app, subscriber),
    onSuccess: async ({ name }) => {
      toastDone(words.added(name));
      await queries.invalidateQueries({ queryKey: testBrowsersKey(app) });
    },
    onError: toastProblem,
  });
  if (query.data === undefined) return null;
  const own = query.data.find(({ subscription_id }) => subscription_id === subscriber);
  return (
    <Section title={words.title}>
      <Group justify="space-between">
        <Text size="sm" maw="34rem">
          {own === undefined ? words.useAbout : words.used(own.name)}
        </Text>
        {own === undefined ? (
          <Button variant="default" loading={register.isPending} onClick={() => register.mutate()}>
            {words.use}
          </Button>
        ) : (
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/apps/$app/settings" params={{ app }} search={{ tab: 'tests' }} {...props} />
            )}
          >
            {words.manage}
          </Button>
        )}
      </Group>
    </Section>
  );
}
