import { Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { meQuery } from '../data/account/queries.ts';
import { factorRuleKey, factorRuleQuery } from '../data/account/second-factor/queries.ts';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { inOrganization } from '../data/organization/queries.ts';
import { t } from '../texts/t.ts';
import { Loaded } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';

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
