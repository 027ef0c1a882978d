import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber, formatShare } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { measureColor } from './colors.ts';
import classes from './funnel.module.css';

const words = t.funnel;

interface Reactions {
  readonly displayed: number;
  readonly clicked: number;
  readonly closed: number;
}

export interface FunnelFigures extends Reactions {
  readonly accepted: number;
  readonly unproven: Reactions;
}

/** Readers by how far they came, a bar each: all as parts of those whose push service accepted it. */
export function Funnel({ figures }: { figures: FunnelFigures }): ReactNode {
  const { accepted, displayed, clicked, closed, unproven } = figures;
  const ofSeen = (count: number): string => words.ofDisplayed(formatShare(count, displayed));
  return (
    <Stack gap="xs">
      <ol className={classes.funnel} aria-label={words.label}>
        <Bar name={words.accepted} count={accepted} accepted={accepted} color={measureColor.accepted} />
        <Bar name={words.displayed} count={displayed} accepted={accepted} color={measureColor.displayed} />
        <Bar
          name={words.clicked}
          count={clicked}
          accepted={accepted}
          more={ofSeen(clicked)}
          color={measureColor.clicks}
        />
        <Bar
          name={words.closed}
          count={closed}
          accepted={accepted}
          more={ofSeen(closed)}
          color={measureColor.closed}
        />
      </ol>
      <Text size="xs" c="dimmed">
        {words.rule}
      </Text>
      {unproven.displayed + unproven.clicked + unproven.closed > 0 && (
        <Text size="sm">
          {words.unproven(
            formatNumber(unproven.displayed),
            formatNumber(unproven.clicked),
            formatNumber(unproven.closed),
          )}
        </Text>
      )}
    </Stack>
  );
}

interface BarProps {
  readonly name: string;
  readonly count: number;
  readonly accepted: number;
  /** Of another whole than the bar's. */
  readonly more?: string;
  readonly color: string;
}

function Bar({ name, count, accepted, more, color }: BarProps): ReactNode {
  const width = accepted === 0 ? 0 : (100 * count) / accepted;
  return (
    <li className={classes.stage}>
      <span className={classes.name}>{name}</span>
      <span className={classes.bar} aria-hidden="true">
        {count > 0 && <span className={classes.part} style={{ width: `${width}%`, background: color }} />}
      </span>
      <span className={classes.count}>
        <b>{formatNumber(count)}</b>
        <span className={classes.share}>{words.ofAccepted(formatShare(count, accepted))}</span>
        {more !== undefined && <span className={classes.share}>{more}</span>}
      </span>
    </li>
  );
}
