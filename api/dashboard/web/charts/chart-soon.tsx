import { Paper, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';

/** Of a card with a chart, its heading apart. */
const USUAL_PX = 260;

/** Where a card with a chart will be, about as tall, so that what is below does not jump. */
export const ChartSoon = (): ReactNode => (
  <Paper withBorder p="lg" aria-busy="true">
    <span className="visually-hidden" role="status">
      {t.pending}
    </span>
    <Stack gap="md">
      <Skeleton height={22} width="40%" />
      <Skeleton height={USUAL_PX} />
    </Stack>
  </Paper>
);
