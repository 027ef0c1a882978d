import { Alert, Anchor, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Limit } from '../data/standing/queries.ts';
import { formatNumber, formatTime } from '../format/format.ts';
import { longDuration } from '../format/long-duration.ts';
import { t } from '../texts/t.ts';
import { IconGauge } from '../ui/icons.ts';

const words = t.standing;

interface DeliveryLimit extends Limit {
  readonly waiting?: number;
  readonly seconds_left?: number;
  readonly expiring?: number;
}

interface LimitNoteProps {
  readonly app: string;
  /** At least one; those of a delivery say what that means for it. */
  readonly limits: readonly DeliveryLimit[];
}

/** A push service limits the app now, and for how long. */
export default function LimitNote({ app, limits }: LimitNoteProps): ReactNode {
  return (
    <Alert color="yellow" title={words.limitedTitle} icon={<IconGauge aria-hidden />} role="status">
      <Stack gap={4}>
        {limits.map((limit) => (
          <div key={limit.push_service}>{sentenceOf(limit)}</div>
        ))}
        <Anchor
          underline="always"
          c="inherit"
          size="sm"
          renderRoot={(props) => <Link to="/apps/$app/standing" params={{ app }} {...props} />}
        >
          {t.nav.standing}
        </Anchor>
      </Stack>
    </Alert>
  );
}

export function sentenceOf(limit: DeliveryLimit): string {
  const service = words.services[limit.push_service];
  const allowed = formatNumber(limit.allowed_per_minute);
  const since = formatTime(limit.limited_since);
  const end = limit.probable_end_at;
  const parts = [
    end === null
      ? words.limited(service, allowed, since)
      : words.limitedUntil(service, allowed, since, formatTime(end)),
  ];
  if (limit.seconds_left !== undefined) parts.push(words.needs(longDuration(limit.seconds_left)));
  if (limit.expiring !== undefined && limit.expiring > 0)
    parts.push(words.expiring(formatNumber(limit.expiring)));
  return parts.join(' ');
}
