import { Checkbox, Stack } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Channel } from '../data/alerts/queries.ts';
import { t } from '../texts/t.ts';

export type Wanted = Channel['alert_kinds'];

/** In the order in which people read them. */
export const allWanted = Object.keys(t.alerts.when) as Wanted;

export const missingWanted = (chosen: Wanted): string | null =>
  chosen.length === 0 ? t.alerts.wantedMissing : null;

/** Which alerts a channel gets. */
export const WantedFields = (props: GetInputPropsReturnType): ReactNode => (
  <Checkbox.Group label={t.alerts.wanted} required {...props}>
    <Stack gap="xs" mt="xs">
      {allWanted.map((kind) => (
        <Checkbox key={kind} value={kind} label={t.alerts.labels[kind]} description={t.alerts.when[kind]} />
      ))}
    </Stack>
  </Checkbox.Group>
);
