import { Anchor, Breadcrumbs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { upTo } from './drill.ts';
import type { ReportDraft } from './report.ts';
import { valueName } from './value-name.ts';

const words = t.reports;

/** The way down to this report: each step leads back up. */
export function Trail({
  draft,
  onGo,
}: {
  draft: ReportDraft;
  onGo: (draft: ReportDraft) => void;
}): ReactNode {
  const { trail } = draft;
  if (trail.length === 0) return null;
  const names = trail.map(({ pressed }) =>
    pressed
      .map(({ dimension, value }) => `${words.fields[dimension]}\u00a0${valueName(dimension, value)}`)
      .join(', '),
  );
  return (
    <nav aria-label={words.pivot.trail}>
      <Breadcrumbs separatorMargin={6} style={{ flexWrap: 'wrap' }}>
        {[words.pivot.all, ...names].map((name, at) =>
          at === trail.length ? (
            <Text key={String(at)} size="sm" fw={600} aria-current="page">
              {name}
            </Text>
          ) : (
            <Anchor
              key={String(at)}
              component="button"
              type="button"
              size="sm"
              onClick={() => onGo(upTo(draft, at))}
            >
              {name}
            </Anchor>
          ),
        )}
      </Breadcrumbs>
    </nav>
  );
}
