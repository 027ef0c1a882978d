import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import classes from './field-warnings.module.css';
import { useWarningsOf } from './use-warnings.ts';

interface FieldWarningsProps {
  /** JSON pointer, as the API has it. */
  readonly field: string;
  /** What stands here where there is nothing to warn of: so nothing moves once there is. */
  readonly instead?: ReactNode;
  /** It stands below its field, where a second line has room in the gap to the next one. */
  readonly isBelow?: boolean;
}

/** Beside a field, in its description: it is read with the field, and spoken once it appears. Nothing is stopped. */
export function FieldWarnings({ field, instead = null, isBelow = false }: FieldWarningsProps): ReactNode {
  const codes = useWarningsOf(field);
  return (
    <span role="status" className={classes.line} data-warns={codes.length > 0} data-below={isBelow}>
      {codes.length === 0 ? instead : codes.map((code) => t.compose.warnings[code]).join(' ')}
    </span>
  );
}
