import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Names and their values, below each other; beside each other where there is room. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }): ReactNode => (
  <dl className={classes.facts}>
    {facts.map(([name, value]) => (
      <div key={name} className={classes.fact}>
        <dt className={classes.name}>{name}</dt>
        <dd className={classes.value}>{value}</dd>
      </div>
    ))}
  </dl>
);
