import { Paper, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './figures.module.css';

export interface Figure {
  readonly label: string;
  readonly value: ReactNode;
  /** Its base, or how it is counted. */
  readonly note?: ReactNode;
}

/** A few numbers that matter most, in large letters. */
export const Figures = ({ label, figures }: { label: string; figures: readonly Figure[] }): ReactNode => (
  <section aria-label={label}>
    <SimpleGrid cols={{ base: 2, md: figures.length }} spacing="sm" component="dl" m={0}>
      {figures.map((figure) => (
        <Paper key={figure.label} withBorder p="md" className={classes.figure}>
          <dt className={classes.label}>{figure.label}</dt>
          <dd className={classes.value}>{figure.value}</dd>
          {figure.note !== undefined && <dd className={classes.note}>{figure.note}</dd>}
        </Paper>
      ))}
    </SimpleGrid>
  </section>
);
