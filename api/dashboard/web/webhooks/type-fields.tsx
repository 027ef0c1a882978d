import { Checkbox, Code, Group as Row, Stack, Text } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { WebhookType } from '../data/webhooks/queries.ts';
import { t } from '../texts/t.ts';
import { type Group, typesByGroup } from './types.ts';

export const missingTypes = (chosen: readonly WebhookType[]): string | null =>
  chosen.length === 0 ? t.webhooks.typesMissing : null;

/** Which messages a webhook gets, by the names that programs read. */
export const TypeFields = (props: GetInputPropsReturnType): ReactNode => (
  <Checkbox.Group label={t.webhooks.types} required {...props}>
    <Stack gap="sm" mt="xs">
      {(Object.keys(typesByGroup) as Group[]).map((group) => (
        <div key={group}>
          <Text size="sm" mb={4}>
            {t.webhooks.groups[group]}
          </Text>
          <Row gap="md">
            {typesByGroup[group].map((type) => (
              <Checkbox key={type} value={type} label={<Code>{type}</Code>} />
            ))}
          </Row>
        </div>
      ))}
    </Stack>
  </Checkbox.Group>
);
