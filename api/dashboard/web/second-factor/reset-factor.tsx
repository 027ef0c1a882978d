import type { ReactNode } from 'react';
import { bodyOf } from '../http/api.ts';
import { useApi } from '../http/services.tsx';
import { inOrganization, type User } from '../settings/queries.ts';
import { ConfirmedButton } from '../shell/confirmed-button.tsx';
import { t } from '../texts/t.ts';

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
