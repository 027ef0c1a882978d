import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './section.module.css';

export interface SectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Irreversible actions have a red border, at the end of a page. */
  readonly danger?: boolean;
}

/** A part of a page under its own heading: settings that belong together, a list, a figure. */
export const Section = ({ title, description, children, danger = false }: SectionProps): ReactNode => (
  <Paper withBorder p="lg" component="section" className={danger ? classes.danger : undefined}>
    <Stack gap="md">
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" size="sm" mt={2} component="div">
            {description}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  </Paper>
);
