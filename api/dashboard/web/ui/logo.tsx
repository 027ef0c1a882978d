import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import classes from './logo.module.css';

export const Logo = (): ReactNode => (
  <Group gap="xs" wrap="nowrap">
    <svg viewBox="0 0 32 32" className={classes.mark} aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M9.500 23V9h6.700a3.600 3.600 0 0 1 1.500 6.900A3.700 3.700 0 0 1 16.700 23zM9.500 16h7.500" />
    </svg>
    <Text component="span" fw={700} size="lg" className={classes.name}>
      {t.product}
    </Text>
  </Group>
);
