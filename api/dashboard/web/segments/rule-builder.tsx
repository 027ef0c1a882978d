import { Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { countConditions, type GroupDraft, MAX_CONDITIONS } from '../data/segments/draft.ts';
import { t } from '../texts/t.ts';
import { addTo, removeNode, replaceNode } from './edit-tree.ts';
import { RuleGroup } from './rule-group.tsx';

export interface RuleBuilderProps {
  readonly app: string;
  readonly draft: GroupDraft;
  /** Path below the rule → its error. */
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (draft: GroupDraft) => void;
}

/** Puts a segment's rule together: all of it with the keyboard, and nothing that the API would not take. */
export function RuleBuilder({ app, draft, errors, onChange }: RuleBuilderProps): ReactNode {
  const [newest, setNewest] = useState<string | null>(null);
  const [removals, setRemovals] = useState(0);
  const whole = useRef<HTMLDivElement>(null);
  const count = countConditions(draft);
  useEffect(() => {
    // The focused element is gone: focus moves to the end of the rule, where the next condition is added.
    if (removals > 0)
      whole.current?.querySelector<HTMLElement>(':scope > fieldset > :last-child button')?.focus();
  }, [removals]);
  return (
    <div ref={whole}>
      <RuleGroup
        app={app}
        group={draft}
        number=""
        level={1}
        errors={errors}
        isFull={count >= MAX_CONDITIONS}
        newest={newest}
        onChange={(node) => onChange(replaceNode(draft, node))}
        onAdd={(parentId, node) => {
          const first = node.kind === 'group' ? node.members[0] : node;
          setNewest(first?.id ?? null);
          onChange(addTo(draft, parentId, node));
        }}
        onRemove={(id) => {
          onChange(removeNode(draft, id));
          setRemovals(removals + 1);
        }}
      />
      {count >= MAX_CONDITIONS && (
        <Text size="sm" c="dimmed">
          {t.rule.full(MAX_CONDITIONS)}
        </Text>
      )}
    </div>
  );
}
