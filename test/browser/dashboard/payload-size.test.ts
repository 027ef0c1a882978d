// tier: system
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateBytes, MAX_PAYLOAD_BYTES } from '../../../api/dashboard/web/notification/payload-size.ts';
import { buildNotification, MAX_PLAINTEXT_BYTES } from '../../../engine/notification/notification.ts';
import { cases } from '../../support/cases.ts';

/** Unchanged: the size on the page must hold against the payload that the API builds. */
const origin = {
  app: 'example-news-abc123',
  delivery: `dlv_${'a'.repeat(16)}`,
  proof: 'b'.repeat(22),
};
const base = 'https://push.example.com';
const image = `${base}/images/${'c'.repeat(64)}.png`;
/** Besides its contents: the page does not know whether the notification is silent or vibrates. */
const SLACK = 120;

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 });
const address = fc.webUrl({ withQueryParameters: true });
const params = fc.uniqueArray(fc.record({ key: fc.stringMatching(/^[a-z_]{1,12}$/), value: fc.string() }), {
  maxLength: 5,
  selector: ({ key }) => key,
});

describe('the payload’s size, shown while the text is typed', () => {
  it('has the limit of the API', () => {
    expect(MAX_PAYLOAD_BYTES).toBe(MAX_PLAINTEXT_BYTES);
  });

  it('is never less than the built one, and little more', () => {
    const notification = fc.record({
      title: text,
      body: text,
      url: address,
      hasImage: fc.boolean(),
      hasIcon: fc.boolean(),
      language: fc.constantFrom('', 'ar', 'pt-BR'),
      buttons: fc.array(fc.record({ title: text, url: address }), { maxLength: 2 }),
      topic: fc.constantFrom('', 'front-page'),
      isOwnSite: fc.boolean(),
    });
    fc.assert(
      fc.property(notification, params, (given, added) => {
        const site = given.isOwnSite ? new URL(given.url).origin : 'https://elsewhere.example';
        const said = estimateBytes(given, { baseUrl: base, app: origin.app, params: added, site });
        const built = buildNotification(
          {
            ...given,
            topic: given.topic || null,
            imageUrl: given.hasImage ? image : null,
            iconUrl: given.hasIcon ? image : null,
            language: given.language || null,
            requireInteraction: true,
            silent: false,
            vibratePattern: [],
            site,
          },
          origin,
          added,
        ).length;
        expect(said).toBeGreaterThanOrEqual(built);
        // What an address has already is not added again.
        const again = added.reduce(
          (sum, { key, value }) => sum + 2 + (key + encodeURIComponent(value)).length,
          0,
        );
        expect(said).toBeLessThanOrEqual(built + SLACK + 3 * again);
      }),
      { numRuns: cases(60, 300) },
    );
  });
});
