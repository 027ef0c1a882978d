import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { IconShieldExclamation } from '../ui/icons.ts';

const words = t.standing;

interface NearNoteProps {
  readonly app: string;
  readonly near: { readonly at_limit: number; readonly guarded: boolean; readonly exact: boolean };
}

/** Readers whom this notification could cost the permission, or from whom the guard holds it back. */
export default function NearNote({
  app,
  near: { at_limit: count, guarded, exact },
}: NearNoteProps): ReactNode {
  const shown = exact ? formatNumber(count) : words.about(formatNumber(count));
  return (
    <Alert color={guarded ? 'indigo' : 'yellow'} icon={<IconShieldExclamation aria-hidden />} role="status">
      {guarded ? words.heldBack(count, shown) : words.couldLose(count, shown)}{' '}
      {!guarded && (
        <Anchor
          underline="always"
          c="inherit"
          renderRoot={(props) => (
            <Link to="/apps/$app/settings" params={{ app }} search={{ tab: 'limits' }} {...props} />
          )}
        >
          {words.switchOn}
        </Anchor>
      )}
    </Alert>
  );
}
