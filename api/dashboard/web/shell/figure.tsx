import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './figure.module.css';

export interface FigureProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly hint?: string;
}

/** One number that matters, with what it counts. */
export const Figure = ({ label, value, hint }: FigureProps): ReactNode => (
  <Paper withBorder p="md">
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    <Text className={classes.value}>{value}</Text>
    {hint !== undefined && (
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
    )}
  </Paper>
);
