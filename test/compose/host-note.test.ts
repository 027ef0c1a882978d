// tier: unit
import { expect, it } from 'vitest';
import { createHostNote } from '../../engine/compose/host-note.ts';
import { OWN_AGAIN_MS } from '../../engine/worker/second-client.ts';

const why = 'PROTOCOL_ERROR';

it('logs and counts a host that is left to undici once for all threads, and again after its time', () => {
  const logged: unknown[] = [];
  let [counted, at] = [0, 0];
  const note = createHostNote(
    { warn: (detail: unknown) => void logged.push(detail) } as never,
    { pushHostLeft: () => void counted++ },
    () => at,
  );
  for (const origin of ['https://one.example', 'https://one.example', 'https://two.example'])
    note({ origin, why });
  expect(logged).toEqual([
    { origin: 'https://one.example', why },
    { origin: 'https://two.example', why },
  ]);
  at = OWN_AGAIN_MS - 1;
  note({ origin: 'https://one.example', why });
  expect(counted).toBe(2);
  at = OWN_AGAIN_MS;
  note({ origin: 'https://one.example', why });
  expect([counted, logged.length]).toEqual([3, 3]);
});
