import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useHasRole, useMe } from '../data/account/use-me.ts';
import { useApi } from '../data/http/services.tsx';
import { organizationsQuery } from '../data/organization/queries.ts';
import { t } from '../texts/t.ts';

export interface OrganizationChoiceProps {
  readonly chosen: number | undefined;
  /** Undefined: your own. */
  readonly onChoose: (organization: number | undefined) => void;
}

/** For super-admins: the organization whose team or log is shown. */
export function OrganizationChoice({ chosen, onChoose }: OrganizationChoiceProps): ReactNode {
  const { organization } = useMe();
  const rules = useHasRole('super-admin');
  const { data } = useQuery({ ...organizationsQuery(useApi()), enabled: rules });
  if (!rules || data === undefined || data.data.length < 2) return null;
  return (
    <Select
      label={t.organizations.choose}
      maw={320}
      searchable
      data={data.data.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={String(chosen ?? organization.id)}
      onChange={(id) => onChoose(id === null || Number(id) === organization.id ? undefined : Number(id))}
    />
  );
}
