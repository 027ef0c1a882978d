import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import type { Segment } from '../data/segments/queries.ts';
import { t } from '../texts/t.ts';

const words = t.segments;

interface Props {
  readonly app: string;
  readonly segment: Pick<Segment, 'id' | 'name'>;
}

/** What one does with a segment: writes to its readers, or looks who they are. */
export const SegmentLinks = ({ app, segment: { id, name } }: Props): ReactNode => (
  <>
    <Button
      size="xs"
      variant="default"
      aria-label={`${words.readers}: ${name}`}
      renderRoot={(props) => (
        <Link to="/apps/$app/subscribers" params={{ app }} search={{ segment: id }} {...props} />
      )}
    >
      {words.readers}
    </Button>
    <ForRole least="author">
      <Button
        size="xs"
        variant="default"
        aria-label={`${words.send}: ${name}`}
        renderRoot={(props) => (
          <Link to="/apps/$app/compose" params={{ app }} search={{ segment: id }} {...props} />
        )}
      >
        {words.send}
      </Button>
    </ForRole>
  </>
);
