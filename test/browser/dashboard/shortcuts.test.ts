// tier: system
import { describe, expect, it } from 'vitest';
import {
  createShortcutReader,
  type KeyPressed,
  shortcuts,
} from '../../../api/dashboard/web/frame/shortcuts.ts';

const key = (name: string, changes: Partial<KeyPressed> = {}): KeyPressed => ({
  ...{ key: name, ctrlKey: false, metaKey: false, altKey: false, isTaken: false, atMs: 0 },
  ...changes,
});

describe('the shortcuts', () => {
  it('are each of its own: none begins another, none is there twice', () => {
    const written = shortcuts.map(({ keys, held = false }) => `${held ? 'held ' : ''}${keys.join(' ')}`);
    expect(new Set(written).size).toBe(written.length);
    for (const one of written) {
      expect(written.filter((other) => other !== one && other.startsWith(`${one} `))).toEqual([]);
    }
    expect(new Set(shortcuts.map(({ does }) => does)).size).toBe(shortcuts.length);
  });

  it('read single keys, two in a row, and one that is held with Ctrl or Cmd', () => {
    const read = createShortcutReader(() => true);
    expect(read(key('c'))).toBe('compose');
    expect(read(key('?'))).toBe('sheet');
    expect(read(key('g'))).toBeNull();
    expect(read(key('d', { atMs: 1_000 }))).toBe('deliveries');
    expect(read(key('d', { atMs: 1_100 }))).toBeNull();
    for (const held of [{ ctrlKey: true }, { metaKey: true }]) expect(read(key('k', held))).toBe('menu');
    expect(read(key('k'))).toBeNull();
    expect(read(key('c', { ctrlKey: true })), 'copies').toBeNull();
    expect(read(key('c', { altKey: true }))).toBeNull();
  });

  it('forget the first of two after a while', () => {
    const read = createShortcutReader(() => true);
    read(key('g'));
    expect(read(key('d', { atMs: 1_501 }))).toBeNull();
  });

  it('do nothing while somebody types, but open the menu', () => {
    const read = createShortcutReader(() => true);
    expect(read(key('c', { isTaken: true }))).toBeNull();
    expect(read(key('g'))).toBeNull();
    expect(read(key('d', { isTaken: true }))).toBeNull();
    expect(read(key('k', { isTaken: true, ctrlKey: true }))).toBe('menu');
  });

  it('of single keys can be turned off, as WCAG 2.1.4 asks', () => {
    let isOn = false;
    const read = createShortcutReader(() => isOn);
    expect(read(key('c'))).toBeNull();
    expect(read(key('k', { metaKey: true }))).toBe('menu');
    isOn = true;
    expect(read(key('c'))).toBe('compose');
  });
});
