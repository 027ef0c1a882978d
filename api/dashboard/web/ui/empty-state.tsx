import { Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Icon } from './icons.ts';

export interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  /** An empty state: what will be here, and how to get there. */
  readonly children: ReactNode;
  /** The next step: a button or a link that looks like one. */
  readonly action?: ReactNode;
  /** Where it is the whole page. */
  readonly isPage?: boolean;
}

/** Stands where nothing is yet, and names the next step. */
export const EmptyState = ({
  icon: Glyph,
  title,
  children,
  action,
  isPage = false,
}: EmptyStateProps): ReactNode => (
  <Paper withBorder p="xl" ta="center">
    <Stack align="center" gap="sm" py="lg">
      <ThemeIcon size={48} radius="xl" variant="light">
        <Glyph aria-hidden size={26} stroke={1.6} />
      </ThemeIcon>
      <Title order={isPage ? 1 : 2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw={460} component="div">
        {children}
      </Text>
      {action}
    </Stack>
  </Paper>
);
