import { Button, Group } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { t } from '../texts/t.ts';

interface SaveButtonProps extends Pick<ComponentProps<typeof ForRole>, 'least'> {
  readonly dirty: boolean;
  readonly busy: boolean;
}

/** Saves a changed form of settings; below the role `least`, it says who may. */
export const SaveButton = ({ least, dirty, busy }: SaveButtonProps): ReactNode => (
  <Group>
    <ForRole least={least} explains>
      <Button type="submit" loading={busy} disabled={!dirty}>
        {t.actions.save}
      </Button>
    </ForRole>
  </Group>
);
