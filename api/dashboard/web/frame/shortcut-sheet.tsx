import { Group, Kbd, Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PlainTable } from '../ui/plain-table.tsx';
import classes from './commands.module.css';
import { isMac } from './is-mac.ts';
import { type Shortcut, shortcuts, singleKeys } from './shortcuts.ts';

/** Every shortcut, and whether those of a single key are on. */
export function ShortcutSheet({ onClose }: { onClose: () => void }): ReactNode {
  const [on, setOn] = useState(singleKeys.read);
  return (
    <Dialog opened onClose={onClose} title={t.commands.sheet}>
      <PlainTable className={classes.sheet}>
        <tbody>
          {shortcuts.map((shortcut) => (
            <tr key={shortcut.does}>
              <th scope="row" className={classes.does}>
                {t.commands.does[shortcut.does]}
              </th>
              <td>
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <Keys {...shortcut} />
                </Group>
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <Switch
        label={t.commands.single}
        description={t.commands.singleHint}
        checked={on}
        onChange={({ currentTarget: { checked } }) => {
          singleKeys.write(checked);
          setOn(checked);
        }}
      />
    </Dialog>
  );
}

function Keys({ keys, held }: Shortcut): ReactNode {
  const names = keys.map((key) => (key.length === 1 ? key.toUpperCase() : key));
  return names.map((name) => (
    <Kbd key={name}>{held === true ? `${isMac() ? '⌘' : 'Ctrl+'}${name}` : name}</Kbd>
  ));
}
