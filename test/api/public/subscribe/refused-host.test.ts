// tier: unit
import { expect, it } from 'vitest';
import { createNoteRefusedHost } from '../../../../api/public/subscribe/note-refused-host.ts';

const HOUR_MS = 3_600_000;

function createNotes() {
  const hosts: unknown[] = [];
  const clock = { atMs: 0 };
  const log = { warn: ({ host }: { host: string }) => void hosts.push(host) };
  const note = createNoteRefusedHost({ hosts: ['push.example.com'], allowAnyHost: false }, () => clock.atMs);
  return { hosts, clock, note: (endpoint: string) => note(log as never, endpoint) };
}

it('names a host in the log once, and only one that is refused for what it is', () => {
  const { hosts, note } = createNotes();
  note('https://new.browser.example/send/1');
  note('https://new.browser.example/send/2');
  note('https://push.example.com/send/1');
  note('http://push.example.com/send/1');
  note('no endpoint');
  expect(hosts).toEqual(['new.browser.example']);
});

it('names fifty in an hour, however many a stranger invents, and then goes on', () => {
  const { hosts, clock, note } = createNotes();
  for (let n = 0; n < 1_000; n++) note(`https://invented-${n}.example/`);
  expect(hosts).toHaveLength(50);
  clock.atMs = HOUR_MS;
  note('https://new.browser.example/send/1');
  expect(hosts.at(-1)).toBe('new.browser.example');
});
