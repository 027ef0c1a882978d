import { ActionIcon, Button, Group, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  type ConditionDraft,
  type GroupDraft,
  MAX_LEVELS,
  newCondition,
  newGroup,
} from '../data/segments/draft.ts';
import { t } from '../texts/t.ts';
import conditions from '../ui/conditions.module.css';
import { IconFolderPlus, IconPlus, IconTrash } from '../ui/icons.ts';
import classes from './rule.module.css';
import { RuleRow } from './rule-row.tsx';

const words = t.rule;

export interface GroupProps {
  readonly app: string;
  readonly group: GroupDraft;
  /** Empty for the outermost. */
  readonly number: string;
  readonly level: number;
  /** Path below the rule → its error: `conditions.0.values`. */
  readonly errors: Readonly<Record<string, string>>;
  readonly isFull: boolean;
  /** The last added node. */
  readonly newest: string | null;
  readonly onChange: (node: GroupDraft | ConditionDraft) => void;
  readonly onAdd: (parentId: string, node: GroupDraft | ConditionDraft) => void;
  readonly onRemove: (id: string) => void;
}

/** Conditions, and groups of them, of which all must hold or one. */
export function RuleGroup(props: GroupProps): ReactNode {
  const { group, number, level, onChange, onRemove } = props;
  const name = number === '' ? words.outer : words.group(number);
  return (
    <fieldset className={`${conditions.group} ${level > 1 ? classes.inner : ''}`}>
      <legend className="visually-hidden">{name}</legend>
      <div className={classes.head}>
        <NativeSelect
          aria-label={`${name}: ${words.match}`}
          value={group.match}
          onChange={(event) =>
            onChange({ ...group, match: event.currentTarget.value === 'any' ? 'any' : 'all' })
          }
          data={[
            { value: 'all', label: words.all },
            { value: 'any', label: words.any },
          ]}
        />
        {level > 1 && (
          <ActionIcon size="lg" aria-label={words.remove(name)} onClick={() => onRemove(group.id)}>
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <ul className={classes.members}>
        {group.members.map((each, index) => (
          <li key={each.id}>
            <Member {...props} member={each} index={index} />
          </li>
        ))}
      </ul>
      <AddButtons {...props} />
    </fieldset>
  );
}

function Member(props: GroupProps & { member: GroupDraft | ConditionDraft; index: number }): ReactNode {
  const { member, index, ...group } = props;
  const number = group.number === '' ? String(index + 1) : `${group.number}.${index + 1}`;
  const errors = below(group.errors, `conditions.${index}`);
  if (member.kind === 'group') {
    return <RuleGroup {...group} group={member} number={number} level={group.level + 1} errors={errors} />;
  }
  return (
    <RuleRow
      app={group.app}
      draft={member}
      number={number}
      errors={errors}
      isNew={group.newest === member.id}
      onChange={group.onChange}
      onRemove={() => group.onRemove(member.id)}
    />
  );
}

/** The error of `values.0` is shown at `values`: an input has one error. */
export function below(errors: GroupProps['errors'], path: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [field, message] of Object.entries(errors)) {
    if (field !== path && !field.startsWith(`${path}.`)) continue;
    const rest = field.slice(path.length + 1).replace(/^values\..*$/, 'values');
    found[rest] = found[rest] === undefined ? message : `${found[rest]} ${message}`;
  }
  return found;
}

function AddButtons({ group, level, isFull, onAdd }: GroupProps): ReactNode {
  return (
    <Group gap="xs" mt="sm">
      <Button
        size="xs"
        variant="default"
        disabled={isFull}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onAdd(group.id, newCondition())}
      >
        {words.addCondition}
      </Button>
      {level < MAX_LEVELS && (
        <Button
          size="xs"
          variant="subtle"
          disabled={isFull}
          leftSection={<IconFolderPlus size={14} aria-hidden />}
          onClick={() => onAdd(group.id, newGroup())}
        >
          {words.addGroup}
        </Button>
      )}
    </Group>
  );
}
