// tier: unit
import { expect, it } from 'vitest';
import { createEncryptionNote } from '../../../engine/compose/encryption-note.ts';
import type { ThreadStarted } from '../../../engine/worker/protocol.ts';

const started = (encryption: ThreadStarted['encryption'], warning: string | null = null) => ({
  encryption,
  warning,
});

const into = (lines: unknown[]) => ({
  info: (fields: unknown, text: unknown) => lines.push(['info', fields, text]),
  warn: (fields: unknown, text: unknown) => lines.push(['warn', fields, text]),
});

it('says in the same line how the machine could be faster', () => {
  const lines: unknown[] = [];
  const note = createEncryptionNote(into(lines) as never, (used) =>
    used === 'multibuffer' ? null : 'Install it.',
  );
  note(started('openssl'));
  note(started('node', 'messages are encrypted by node: openssl: gone'));
  note(started('multibuffer'));
  expect(lines).toEqual([
    ['info', { encryption: 'openssl' }, 'the worker threads encrypt with this. Install it.'],
    ['warn', { encryption: 'node' }, 'messages are encrypted by node: openssl: gone. Install it.'],
    ['info', { encryption: 'multibuffer' }, 'the worker threads encrypt with this'],
  ]);
});

it('reports once for all threads their backend, and warns where it is not the requested one', () => {
  const lines: unknown[] = [];
  const note = createEncryptionNote(into(lines) as never, () => null);
  for (let thread = 0; thread < 4; thread++) note(started('openssl'));
  note(started('node', 'messages are encrypted by node: openssl: gone'));
  note(started('node', 'messages are encrypted by node: openssl: gone'));
  expect(lines).toEqual([
    ['info', { encryption: 'openssl' }, 'the worker threads encrypt with this'],
    ['warn', { encryption: 'node' }, 'messages are encrypted by node: openssl: gone'],
  ]);
});
