import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber, formatPercent } from '../format/format.ts';
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
  readonly displayed_rate: number;
  readonly clicked_rate: number;
  readonly closed_rate: number;
  readonly unproven: Reactions;
}

/** From the readers whose push service accepted it down to those who clicked; those who closed it are shown apart. */
export function Funnel({ figures }: { figures: FunnelFigures }): ReactNode {
  const { accepted, displayed, clicked, closed, unproven } = figures;
  const widthOf = (count: number): number => (accepted === 0 ? 0 : (count / accepted) * WIDTH);
  const [whole, seen, pressed] = [widthOf(accepted), widthOf(displayed), widthOf(clicked)];
  return (
    <Stack gap="xs">
      <ol className={classes.funnel} aria-label={words.label}>
        <Stage
          name={words.accepted}
          count={accepted}
          top={whole}
          bottom={seen}
          color={measureColor.accepted}
        />
        <Stage
          name={words.displayed}
          count={displayed}
          rate={words.ofAccepted(formatPercent(figures.displayed_rate))}
          top={seen}
          bottom={pressed}
          color={measureColor.displayed}
        />
        <Stage
          name={words.clicked}
          count={clicked}
          rate={words.ofDisplayed(formatPercent(figures.clicked_rate))}
          top={pressed}
          bottom={pressed}
          color={measureColor.clicks}
        />
        <Stage
          name={words.closed}
          count={closed}
          rate={words.ofDisplayed(formatPercent(figures.closed_rate))}
          top={widthOf(closed)}
          bottom={widthOf(closed)}
          color={measureColor.closed}
          apart
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

const WIDTH = 100;
const HEIGHT = 32;
/** A bar above zero is never invisible. */
const THINNEST = 0.6;

interface StageProps {
  readonly name: string;
  readonly count: number;
  readonly rate?: string;
  /** Of its shape, of 100. */
  readonly top: number;
  readonly bottom: number;
  readonly color: string;
  readonly apart?: boolean;
}

function Stage({ name, count, rate, top, bottom, color, apart = false }: StageProps): ReactNode {
  const from = count === 0 ? 0 : Math.max(THINNEST, top);
  const to = count === 0 ? 0 : Math.max(THINNEST, bottom);
  const middle = WIDTH / 2;
  const corners = [
    [middle - from / 2, 0],
    [middle + from / 2, 0],
    [middle + to / 2, HEIGHT],
    [middle - to / 2, HEIGHT],
  ];
  return (
    <li className={apart ? `${classes.stage} ${classes.apart}` : classes.stage}>
      <span className={classes.name}>{name}</span>
      <svg
        className={classes.shape}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <polygon points={corners.map((corner) => corner.join()).join(' ')} fill={color} />
      </svg>
      <span className={classes.count}>
        <Text component="span" fw={600} display="block">
          {formatNumber(count)}
        </Text>
        {rate !== undefined && (
          <Text component="span" size="xs" c="dimmed" display="block">
            {rate}
          </Text>
        )}
      </span>
    </li>
  );
}
