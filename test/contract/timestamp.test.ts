// tier: unit
import { describe, expect, it } from 'vitest';
import { startAt, timestampOf, wordingStartedAt } from '../../engine/contract/timestamp.ts';
import { buildNotification } from '../../engine/notification/notification.ts';
import { buildTexts } from '../../engine/notification/texts.ts';

const written = Date.UTC(2026, 0, 31, 12);
const started = Date.UTC(2026, 1, 2, 7, 30);
const content = {
  ...{ title: 'Storm', body: 'Ferries stop', url: 'https://news.example.com/1', imageUrl: null, buttons: [] },
  ...{ topic: null, requireInteraction: false, silent: false, vibratePattern: [], language: 'en' },
  translations: [
    { language: 'ar', title: 'عاصفة', body: 'توقفت العبارات', url: null, buttons: null },
    { language: 'de', title: 'Sturm, {{ tag.name }}!', body: 'Fähren', url: null, buttons: null },
  ],
  mayBePersonal: true,
};
const origin = { app: 'news-1', delivery: 'dlv_1', proof: 'proof' };
const timeOf = (text: string): unknown => JSON.parse(text).notification.timestamp;

describe('the time that a notification shows', () => {
  it('is that of its start, whenever it was written, and takes as many bytes', () => {
    const plaintext = buildNotification(content, origin, [], written);
    const { length } = plaintext;
    expect(timeOf(plaintext.toString())).toBe(written);
    const sent = Buffer.from(startAt(new Uint8Array(plaintext), started));
    expect(timeOf(sent.toString())).toBe(started);
    expect(sent.length).toBe(length);
    expect(sent.toString()).toBe(buildNotification(content, origin, [], started).toString());
  });

  it('is that in each language', () => {
    const { wording } = buildTexts(content, origin, [], written);
    expect(wording?.texts).toHaveLength(3);
    expect(wordingStartedAt(wording, started)).toEqual(buildTexts(content, origin, [], started).wording);
    expect(wordingStartedAt(null, started)).toBeNull();
  });

  it('is left out of a message that a release without it has written', () => {
    const old = '{"web_push":8030,"notification":{"title":"Storm","timestamp":1},"mutable":true}';
    expect(Buffer.from(startAt(new Uint8Array(Buffer.from(old)), started)).toString()).toBe(old);
    const wording = { texts: [{ language: null, parts: [old] }], outputs: [], tags: [] };
    expect(wordingStartedAt(wording, started)).toEqual(wording);
  });

  it('is not written where the clock has no date, as in a simulation', () => {
    expect([timestampOf(5_000), timestampOf(started)]).toEqual([{}, { timestamp: started }]);
    const plaintext = new Uint8Array(buildNotification(content, origin, [], written));
    expect(timeOf(Buffer.from(startAt(plaintext, 5_000)).toString())).toBe(written);
  });
});
