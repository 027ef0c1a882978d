import { Button, Group, Menu, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { type ChosenColumns, useChosenColumns } from './chosen-columns.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { IconCheck, IconColumns3 } from './icons.ts';

interface ChosenTableProps<Row> extends DataTableProps<Row> {
  /** Under which the choice is kept in this browser. */
  readonly keptAs: string;
  /** Before the choice of columns. */
  readonly beside?: ReactNode;
}

/** A table whose columns one chooses. */
export function ChosenTable<Row>({ keptAs, columns, beside, ...table }: ChosenTableProps<Row>): ReactNode {
  const chosen = useChosenColumns(keptAs, columns);
  return (
    <Stack gap="xs">
      <Group justify="flex-end" gap="xs">
        {beside}
        <Choice {...chosen} />
      </Group>
      <DataTable {...table} columns={chosen.shown} />
    </Stack>
  );
}

const Choice = <Row,>({ choices, toggle }: ChosenColumns<Row>): ReactNode => (
  <Menu position="bottom-end" closeOnItemClick={false} withinPortal={false}>
    <Menu.Target>
      <Button variant="default" size="xs" leftSection={<IconColumns3 size={14} aria-hidden />}>
        {t.table.columns}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {choices.map(({ key, header, isShown }) => (
        <Menu.Item
          key={key}
          role="menuitemcheckbox"
          aria-checked={isShown}
          leftSection={<IconCheck size={14} aria-hidden opacity={isShown ? 1 : 0} />}
          onClick={() => toggle(key)}
        >
          {header}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
