import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { StandingOfReaders } from '../data/standing/readers-queries.ts';
import { formatNumber, formatTime } from '../format/format.ts';
import { longWords } from '../format/long-words.ts';
import { once } from '../format/once.ts';
import { locale } from '../texts/language.ts';
import { t } from '../texts/t.ts';
import { figureClass, PlainTable } from '../ui/plain-table.tsx';
import { Section } from '../ui/section.tsx';

const words = t.standing;
type Push = StandingOfReaders['pushes'][number];
/** Shares of a push are far below one percent. */
const shares = once(() => new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 }));

/** Whom each of the newest pushes cost. */
export const PushesSection = ({ app, pushes }: { app: string; pushes: readonly Push[] }): ReactNode => (
  <Section title={words.pushes} description={words.pushesAbout}>
    {pushes.length === 0 ? (
      <Text c="dimmed">{words.pushesEmpty}</Text>
    ) : (
      <PlainTable spacing="compact">
        <thead style={longWords}>
          <tr>
            <th scope="col">{words.push}</th>
            <th scope="col" className={figureClass}>
              {words.left}
            </th>
            <th scope="col" className={figureClass}>
              {words.interval}
            </th>
          </tr>
        </thead>
        <tbody>
          {pushes.map((push) => (
            <Row key={push.id} app={app} push={push} />
          ))}
        </tbody>
      </PlainTable>
    )}
  </Section>
);

const Row = ({ app, push }: { app: string; push: Push }): ReactNode => (
  <tr>
    <th scope="row">
      <Anchor
        renderRoot={(props) => (
          <Link to="/apps/$app/deliveries/$delivery" params={{ app, delivery: String(push.id) }} {...props} />
        )}
      >
        {push.title}
      </Anchor>
      <Text size="xs" c="dimmed" fw={400}>
        {formatTime(push.started_at)}
        {push.open && ` · ${words.open}`}
      </Text>
    </th>
    <td className={figureClass}>
      {words.leftOf(
        push.unsubscribed === null ? '–' : formatNumber(push.unsubscribed),
        formatNumber(push.accepted),
      )}
    </td>
    <td className={figureClass}>{intervalOf(push)}</td>
  </tr>
);

const intervalOf = ({ percent, percent_low: low, percent_high: high }: Push): string =>
  percent === null || low === null || high === null
    ? words.notKnown
    : words.range(shares().format(percent), shares().format(low), shares().format(high));
