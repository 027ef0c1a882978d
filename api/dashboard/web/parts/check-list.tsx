import { Button, Group, Text, ThemeIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconDeviceMobile,
  IconPointFilled,
} from '../ui/icons.ts';
import classes from './check-list.module.css';
import type { Check } from './checks.ts';
import { exampleUrl, isThisMachine } from './this-machine.ts';

const signs = {
  done: { icon: IconCheck, color: 'teal' },
  next: { icon: IconPointFilled, color: 'indigo' },
  waits: { icon: IconCircleDashed, color: 'gray' },
  wrong: { icon: IconAlertTriangle, color: 'red' },
  advice: { icon: IconDeviceMobile, color: 'yellow' },
} as const;

/** Each check with its state in words, and where one fixes it. */
export const CheckList = ({ checks, app }: { checks: readonly Check[]; app: string }): ReactNode => (
  <ol className={classes.list}>
    {checks.map((check) => (
      <Line key={check.key} check={check} app={app} />
    ))}
  </ol>
);

function Line({ check, app }: { check: Check; app: string }): ReactNode {
  const { key, state, title, hint, to, act } = check;
  const { icon: Glyph, color } = signs[state];
  const open = state === 'next' || state === 'wrong' || state === 'advice';
  // It needs no site, and comes first.
  const isTried = key === 'subscribed' && open && isThisMachine();
  return (
    <li className={classes.line}>
      <ThemeIcon variant="light" color={color} radius="xl" size={28}>
        <Glyph size={16} aria-hidden />
      </ThemeIcon>
      <Group justify="space-between" flex={1} gap="sm" align="flex-start">
        <div className={classes.words}>
          <Text fw={open ? 600 : 500} {...(state === 'waits' ? { c: 'dimmed' } : {})}>
            {title}
            <span className="visually-hidden"> ({t.checks.states[state]})</span>
          </Text>
          {open && (
            <Text size="sm" c="dimmed">
              {isTried && hint === t.checks.subscribed.hint(0) ? t.checks.subscribed.hintHere : hint}
            </Text>
          )}
        </div>
        {open && (
          <Group gap="xs">
            {isTried && (
              <Button component="a" size="xs" href={exampleUrl(app)} target="_blank" rel="noreferrer">
                {t.integration.openExample}
              </Button>
            )}
            <Button
              size="xs"
              variant={state === 'next' && !isTried ? 'filled' : 'default'}
              renderRoot={(props) => <Link to={to} params={{ app } as never} {...props} />}
            >
              {act}
            </Button>
          </Group>
        )}
      </Group>
    </li>
  );
}
