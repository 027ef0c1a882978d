import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useMatches } from '../frame/use-matches.ts';
import { t } from '../texts/t.ts';

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
  return (
    <Stack gap="sm">
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
      <Stack gap="sm" id={panel} hidden={!opened}>
        {opened && children}
      </Stack>
    </Stack>
  );
}
