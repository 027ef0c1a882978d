import { Button, Group, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { t } from '../texts/t.ts';
import { IconAdjustmentsHorizontal } from './icons.ts';
import { useMatches } from './use-matches.ts';

interface PhoneFiltersProps {
  /** How many narrow the list now. */
  readonly active: number;
  /** In sight on a phone too, before the button. */
  readonly search?: ReactNode;
  readonly children: ReactNode;
}

/** A list's filters: side by side in a window, behind one button on a phone, where the list comes first. */
export function PhoneFilters({ active, search, children }: PhoneFiltersProps): ReactNode {
  const isPhone = useMatches('(max-width: 48em)');
  const [opened, { toggle }] = useDisclosure(false);
  const panel = useId();
  if (!isPhone)
    return (
      <Group align="flex-end" gap="sm">
        {search}
        {children}
      </Group>
    );
  // A grid: what the fields ask for beside each other would be their height in a column.
  return (
    <SimpleGrid cols={1} spacing="sm">
      {search}
      <Button
        variant="default"
        onClick={toggle}
        aria-expanded={opened}
        aria-controls={panel}
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
      >
        {t.table.filters(active)}
      </Button>
      {opened && (
        <SimpleGrid cols={1} spacing="sm" id={panel}>
          {children}
        </SimpleGrid>
      )}
    </SimpleGrid>
  );
}
