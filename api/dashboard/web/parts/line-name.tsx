import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Line, linesOf } from '../data/deliveries/lines.ts';
import type { ListedDelivery } from '../data/deliveries/resource.ts';
import { t } from '../texts/t.ts';
import { IconChevronDown, IconChevronRight } from '../ui/icons.ts';
import classes from './line-name.module.css';

const words = t.overview.lines;

/** The rows of a list, and which tests are unfolded in it. */
export function useLines(listed: readonly ListedDelivery[] | undefined) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const toggle = (campaign: number): void =>
    setUnfolded((old) =>
      old.has(campaign) ? new Set([...old].filter((each) => each !== campaign)) : new Set([...old, campaign]),
    );
  return { lines: listed && linesOf(listed, unfolded), unfolded, toggle };
}

interface LineNameProps {
  readonly app: string;
  readonly line: Line;
  readonly unfolded: ReadonlySet<number>;
  readonly toggle: (campaign: number) => void;
  /** Below the title. */
  readonly children?: ReactNode;
}

/** What names a row: its title, what it belongs to, and of a test the way to its variants. */
export function LineName({ app, line, unfolded, toggle, children }: LineNameProps): ReactNode {
  const { delivery, variants, part } = line;
  return (
    <div className={part === 'variant' || part === 'before' ? classes.inside : undefined}>
      {variants.length > 0 ? (
        <Test app={app} line={line} isOpen={unfolded.has(Number(delivery.campaign_id))} toggle={toggle} />
      ) : (
        <Title app={app} delivery={delivery} />
      )}
      {part === 'variant' && (
        <Text size="xs" c="dimmed" fw={400}>
          {roleOf(delivery)}
        </Text>
      )}
      {(part === 'before' || part === 'after') && (
        <div>
          <Badge color="indigo" size="sm">
            {words[part]}
          </Badge>
        </div>
      )}
      {children}
    </div>
  );
}

const roleOf = ({ campaign_role: role }: ListedDelivery): string =>
  role === 'winner' ? words.winner : words.variant((role ?? '').replace('variant-', ''));

const Title = ({ app, delivery: { id, title } }: { app: string; delivery: ListedDelivery }): ReactNode => (
  <Anchor
    renderRoot={(props) => (
      <Link to="/apps/$app/deliveries/$delivery" params={{ app, delivery: String(id) }} {...props} />
    )}
  >
    {title}
  </Anchor>
);

interface TestProps extends Pick<LineNameProps, 'app' | 'line' | 'toggle'> {
  readonly isOpen: boolean;
}

function Test({ app, line: { delivery, variants }, isOpen, toggle }: TestProps): ReactNode {
  const campaign = Number(delivery.campaign_id);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Anchor
        renderRoot={(props) => (
          <Link to="/apps/$app/campaigns/$campaign" params={{ app, campaign: String(campaign) }} {...props} />
        )}
      >
        {delivery.name}
      </Anchor>
      <Group gap={4} mt={6}>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={`${words.test(variants.length)}, ${delivery.name}`}
          leftSection={<Chevron size={14} aria-hidden />}
          onClick={() => toggle(campaign)}
        >
          {words.test(variants.length)}
        </Button>
      </Group>
    </>
  );
}
