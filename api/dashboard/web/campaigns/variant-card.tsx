import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CampaignDetail } from '../data/campaigns/queries.ts';
import { formatChance, formatNumber, formatPercent, formatShare } from '../format/format.ts';
import { t } from '../texts/t.ts';
import classes from './variants.module.css';

const words = t.campaign;
type Variant = NonNullable<CampaignDetail['variants']>[number];

interface VariantCardProps {
  readonly app: string;
  readonly number: number;
  readonly title: string;
  /** Null: it has not started, or clicks cannot be counted. */
  readonly figures: Variant | null;
  /** Undefined: not known. */
  readonly displayed: number | undefined;
  /** The rate at the right end of every variant's track, in percent. */
  readonly highest: number;
  readonly mark: 'winner' | 'sent' | null;
  readonly action: ReactNode;
}

/** How one variant does: its funnel, where its click rate lies, and how probably it is the best. */
export function VariantCard(props: VariantCardProps): ReactNode {
  const { app, number, title, figures, displayed, highest, mark, action } = props;
  return (
    <li className={classes.variant} data-sent={mark !== null}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <div>
          <Group gap="xs">
            <Text size="xs" c="dimmed">
              {words.variant(String(number))}
            </Text>
            {mark !== null && <Badge color="teal">{words.marks[mark]}</Badge>}
          </Group>
          <Text fw={600} className={classes.title}>
            {figures === null ? (
              title
            ) : (
              <Anchor
                inherit
                renderRoot={(link) => (
                  <Link
                    to="/apps/$app/deliveries/$delivery"
                    params={{ app, delivery: String(figures.delivery_id) }}
                    {...link}
                  />
                )}
              >
                {title}
              </Anchor>
            )}
          </Text>
        </div>
        {action}
      </Group>
      {figures !== null && (
        <>
          <Counts accepted={figures.accepted} displayed={displayed} clicked={figures.clicked} />
          <Bars figures={figures} highest={highest} />
        </>
      )}
    </li>
  );
}

interface CountsProps {
  readonly accepted: number;
  readonly displayed: number | undefined;
  readonly clicked: number;
}

const Counts = ({ accepted, displayed, clicked }: CountsProps): ReactNode => (
  <dl className={classes.funnel}>
    {(
      [
        [t.funnel.accepted, formatNumber(accepted)],
        [t.funnel.displayed, displayed === undefined ? '–' : formatNumber(displayed)],
        [t.funnel.clicked, formatNumber(clicked)],
      ] as const
    ).map(([label, value]) => (
      <div key={label}>
        <dt className={classes.label}>{label}</dt>
        <dd className={classes.value}>{value}</dd>
      </div>
    ))}
  </dl>
);

/** The bars only draw what the texts beside them say. */
function Bars({ figures, highest }: { readonly figures: Variant; readonly highest: number }): ReactNode {
  const { accepted, clicked, rate, interval, accepted_missing: missing, probability_best: best } = figures;
  const share = formatShare(clicked, accepted);
  const at = (percent: number): string => `${highest === 0 ? 0 : (100 * percent) / highest}%`;
  return (
    <div className={classes.bars}>
      <div>
        <Text size="sm">
          {rate === null
            ? words.rateUnknown
            : interval === null
              ? words.rateAlone(share)
              : words.rate(share, formatPercent(interval.low), formatPercent(interval.high))}
        </Text>
        <div className={classes.track} aria-hidden>
          {interval !== null && (
            <div
              className={classes.range}
              style={{ left: at(interval.low), width: at(interval.high - interval.low) }}
            />
          )}
          {rate !== null && <div className={classes.rate} style={{ left: at(rate) }} />}
        </div>
      </div>
      <div>
        <Text size="sm" {...(best === null ? { c: 'dimmed' } : {})}>
          {best === null ? words.tooEarly(missing) : words.best(formatChance(best))}
        </Text>
        {best !== null && (
          <div className={classes.track} aria-hidden>
            <div className={classes.chance} style={{ width: `${best}%` }} />
          </div>
        )}
      </div>
    </div>
  );
}
