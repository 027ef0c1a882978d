import { Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dataOf } from '../http/api.ts';
import { useApi } from '../http/services.tsx';
import { meQuery } from '../session/queries.ts';
import { inOrganization } from '../settings/queries.ts';
import { Loaded } from '../shell/loading.tsx';
import { Section } from '../shell/section.tsx';
import { toastDone, toastProblem } from '../shell/toast.ts';
import { t } from '../texts/t.ts';
import { factorRuleKey, factorRuleQuery } from './queries.ts';

const words = t.secondFactor;

/** Whether the organization requires a second factor. */
export default function FactorRule({ organization }: { organization: number | undefined }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const query = useQuery(factorRuleQuery(api, organization));
  const change = useMutation({
    mutationFn: (required: boolean) =>
      dataOf(
        api.PUT('/api/v1/account/second-factor', { body: { required, ...inOrganization(organization) } }),
      ),
    onSuccess: async () => {
      toastDone(words.ruleSaved);
      // One's own account may be the first that needs one.
      const me = await queries.fetchQuery({ ...meQuery(api), staleTime: 0 });
      if (me.second_factor === 'required') await navigate({ to: '/settings/account' });
      else await queries.invalidateQueries({ queryKey: factorRuleKey });
    },
    onError: toastProblem,
  });
  return (
    <Section title={words.ruleTitle} description={words.ruleText}>
      <Loaded query={query}>
        {({ required }) => (
          <Switch
            label={words.rule}
            checked={required}
            disabled={change.isPending}
            onChange={(event) => change.mutate(event.currentTarget.checked)}
          />
        )}
      </Loaded>
    </Section>
  );
}
