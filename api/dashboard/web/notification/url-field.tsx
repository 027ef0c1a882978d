import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { AddressInput } from './address-input.tsx';
import type { OfVariant } from './form.ts';
import { useProposal } from './use-proposal.ts';
import { pathOf } from './variants.ts';
import { FieldWarnings } from './warnings/field-warnings.tsx';

const words = t.compose;

/** Where a click leads. A pasted address proposes the title and the image of its page. */
export function UrlField({ form, at }: OfVariant): ReactNode {
  const { isReading, taken, propose, undo } = useProposal(form, at);
  return (
    <div>
      <AddressInput
        form={form}
        path={pathOf(at, 'url')}
        label={words.url}
        description={<FieldWarnings field="/url" instead={words.urlHint} />}
        required
        onPasted={propose}
      />
      <Group gap="sm" mt={4} role="status" mih={0}>
        {isReading && <Text size="sm">{words.proposing}</Text>}
        {taken !== null && (
          <>
            <Text size="sm">{words.proposed[taken.length === 2 ? 'both' : (taken[0] ?? 'both')]}</Text>
            <Button size="compact-xs" variant="default" onClick={undo}>
              {words.proposedUndo}
            </Button>
          </>
        )}
      </Group>
    </div>
  );
}
