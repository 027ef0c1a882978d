import { Group, Kbd, Switch, Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { Dialog } from './dialog.tsx';
import { isMac } from './is-mac.ts';
import { type Shortcut, shortcuts, singleKeys } from './shortcuts.ts';

/** Every shortcut, and whether those of a single key are on. */
export function ShortcutSheet({ onClose }: { onClose: () => void }): ReactNode {
  const [on, setOn] = useState(singleKeys.read);
  return (
    <Dialog opened onClose={onClose} title={t.commands.sheet}>
      <Table verticalSpacing="xs" mb="md">
        <Table.Tbody>
          {shortcuts.map((shortcut) => (
            <Table.Tr key={shortcut.does}>
              <Table.Th scope="row" fw={400}>
                {t.commands.does[shortcut.does]}
              </Table.Th>
              <Table.Td>
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <Keys {...shortcut} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
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
