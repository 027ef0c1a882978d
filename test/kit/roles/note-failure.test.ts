// tier: unit
import { expect, it } from 'vitest';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { noteFailure } from '../../../engine/kit/roles/note-failure.ts';

const delivery = { deliveryId: 7, appId: 3, total: 12, accepted: 0, failed: 10, capped: 2 } as const;

function linesOf(status: 'success' | 'partial' | 'failed') {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  noteFailure(createLogger({ level: 'info', role: 'engine', destination }), { ...delivery, status });
  return lines.map((line) => JSON.parse(line) as object);
}

it('an engine warns of a failed delivery in one line, with its app and counts', () => {
  expect(linesOf('failed')).toEqual([
    {
      level: 'warn',
      ...{ time: expect.any(String), role: 'engine', pid: expect.any(Number), host: expect.any(String) },
      ...delivery,
      msg: 'a delivery failed: no push service accepted a message of it',
    },
  ]);
});

it('an engine does not warn of a delivery that reached somebody', () => {
  expect([...linesOf('partial'), ...linesOf('success')]).toEqual([]);
});
