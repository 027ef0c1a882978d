import { ActionIcon, Button, Group, Input, Paper, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { IconPlus, IconTrash } from '../ui/icons.ts';
import { AddressInput } from './address-input.tsx';
import type { OfVariant } from './form.ts';
import { MAX_BUTTON_TITLE, MAX_BUTTONS } from './values.ts';
import { contentAt, pathOf } from './variants.ts';
import { FieldWarnings } from './warnings/field-warnings.tsx';
import { warnedBelow } from './warnings/warned-below.tsx';

const words = t.compose;

/** Up to two buttons below the text. */
export function ButtonFields({ form, at }: OfVariant): ReactNode {
  const { action_buttons: buttons } = contentAt(form.getValues(), at);
  const path = pathOf(at, 'action_buttons');
  return (
    <Stack gap="xs">
      <div>
        <Input.Label labelElement="div">{words.buttons}</Input.Label>
        <Input.Description>{words.buttonsHint}</Input.Description>
      </div>
      {buttons.map((_, index) => (
        <Paper key={String(index)} withBorder p="sm">
          <Group align="flex-start" gap="sm" wrap="nowrap">
            <Stack gap="xs" flex={1}>
              <TextInput
                label={words.buttonTitle(index + 1)}
                {...warnedBelow(`/action_buttons/${index}/title`)}
                maxLength={MAX_BUTTON_TITLE}
                {...form.getInputProps(`${path}.${index}.title`)}
              />
              <AddressInput
                form={form}
                path={`${path}.${index}.url`}
                label={words.buttonUrl(index + 1)}
                description={<FieldWarnings field={`/action_buttons/${index}/url`} isBelow />}
                isBelow
              />
            </Stack>
            <ActionIcon
              size={36}
              aria-label={words.buttonRemove(index + 1)}
              onClick={() => form.removeListItem(path, index)}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        </Paper>
      ))}
      {buttons.length < MAX_BUTTONS && (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => form.insertListItem(path, { title: '', url: '' })}
          >
            {words.buttonAdd}
          </Button>
        </div>
      )}
    </Stack>
  );
}
