import type { ReactNode } from 'react';
import { bodyOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { inOrganization, type User } from '../data/organization/queries.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';

const words = t.secondFactor;

interface Props {
  readonly user: User;
  readonly organization: number | undefined;
}

/** For a colleague who lost phone and recovery codes. */
export default function ResetFactor({ user, organization }: Props): ReactNode {
  const api = useApi();
  const params = { path: { user_id: String(user.id) }, query: inOrganization(organization) };
  return (
    <ConfirmedButton
      label={words.reset}
      name={words.resetTitle(user.name)}
      title={words.resetQuestion(user.name)}
      text={words.resetText}
      act={words.resetAct}
      run={() => bodyOf(api.DELETE('/api/v1/account/users/{user_id}/second-factor', { params }))}
      done={words.resetDone(user.name)}
      button={{ size: 'xs' }}
    />
  );
}
