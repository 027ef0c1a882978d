// tier: unit
import { expect, it } from 'vitest';
import { createEncryptionNote } from '../../../engine/compose/encryption-note.ts';
import type { ThreadStarted } from '../../../engine/worker/protocol.ts';

const started = (encryption: ThreadStarted['encryption'], warning: string | null = null) => ({
  encryption,
  warning,
});

it('reports once for all threads their backend, and warns where it is not the requested one', () => {
  const lines: unknown[] = [];
  const note = createEncryptionNote({
    info: (fields, text) => lines.push(['info', fields, text]),
    warn: (fields, text) => lines.push(['warn', fields, text]),
  });
  for (let thread = 0; thread < 4; thread++) note(started('openssl'));
  note(started('node', 'messages are encrypted by node: openssl: gone'));
  note(started('node', 'messages are encrypted by node: openssl: gone'));
  expect(lines).toEqual([
    ['info', { encryption: 'openssl' }, 'the worker threads encrypt with this'],
    ['warn', { encryption: 'node' }, 'messages are encrypted by node: openssl: gone'],
  ]);
});
