import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { SecretOnce } from '../ui/secret-once.tsx';

const words = t.secondFactor;

/** Recovery codes, once. */
export const Codes = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }): ReactNode => (
  <SecretOnce
    secret={codes.join('\n')}
    words={{
      secretTitle: words.codesTitle,
      secret: words.codes,
      once: words.codesOnce,
      secretUse: words.codesUse,
      kept: words.codesKept,
    }}
    onClose={onClose}
  />
);
