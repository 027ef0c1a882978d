// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { appBody, deliveryBody, openWithMember } from '../api/support.ts';
import { loopbackAllowed, makePng, startImageServer } from '../support/images.ts';

const MAX_IMAGE_BYTES = 2_097_152;
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const button = (changes: object = {}) => ({
  title: 'Read',
  url: 'https://news.example.com/read',
  ...changes,
});

describe('Deliveries', async () => {
  const images = await startImageServer((request, response) => {
    const bytes = request.url === '/big.png' ? MAX_IMAGE_BYTES + 1 : MAX_IMAGE_BYTES;
    response.end(request.url === '/page.png' ? '<html>' : makePng({ bytes }));
  });
  const { call } = await openWithMember({ publicAddresses: loopbackAllowed });
  const app = { default_ttl_seconds: 600, default_require_interaction: true };
  const path = `/apps/${(await call('POST', '/apps', appBody(app))).json().data.identifier}/deliveries`;
  afterAll(() => images.close());

  const accepted = async (changes: object) => {
    const answer = await call('POST', path, deliveryBody(changes));
    expect([answer.statusCode, answer.json().errors]).toEqual([201, undefined]);
    return answer.json().data;
  };
  const refused = async (changes: object, field: string, words: RegExp) => {
    const answer = await call('POST', path, deliveryBody(changes));
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { message: expect.stringMatching(words), errors: { [field]: [expect.stringMatching(words)] } },
    ]);
  };

  describe('Create body', () => {
    it.each(['name', 'title', 'body'])('%s | string | yes | <= 255 chars', async (field) => {
      expect((await accepted({ [field]: 'x'.repeat(255) }))[field]).toHaveLength(255);
      // Characters as people count them, not UTF-16 units.
      expect((await accepted({ [field]: '😀'.repeat(255) }))[field]).toBe('😀'.repeat(255));
      await refused({ [field]: 'x'.repeat(256) }, field, /longer than 255/);
      await refused({ [field]: '😀'.repeat(256) }, field, /longer than 255/);
      await refused({ [field]: undefined }, field, /is required/);
      await refused({ [field]: null }, field, /is required/);
      await refused({ [field]: '' }, field, /must not be empty/);
      await refused({ [field]: 7 }, field, /must be a string/);
    });

    it('url | URL | yes | click-through URL', async () => {
      for (const url of [
        'https://a.example.com',
        'http://a.example.com:8080/ą?q=1#top',
        'HTTPS://A.example/',
      ]) {
        expect((await accepted({ url })).url).toBe(url);
      }
      await refused({ url: undefined }, 'url', /is required/);
      for (const url of [
        'news.example.com',
        'javascript:alert(1)',
        'https://',
        'https://a b',
        '//a.example',
      ]) {
        await refused({ url }, 'url', /must be a URL/);
      }
    });

    it('image_url | URL or uploaded file | no | PNG or JPG, <= 2 MB; a URL is fetched and size-checked', async () => {
      expect((await accepted({})).image_url).toBeNull();
      const { image_url } = await accepted({ image_url: `${images.url}/exact.png` });
      expect(image_url).toMatch(/\/images\/[0-9a-f]{64}\.png$/);
      expect(images.asked).toContain('/exact.png');
      await refused({ image_url: `${images.url}/big.png` }, 'image_url', /not be larger than 2 MB/);
      await refused({ image_url: `${images.url}/page.png` }, 'image_url', /must be a PNG or JPG/);
      await refused({ image_url: 'data:image/png;base64,AA' }, 'image_url', /must be a URL/);
    });

    it('delivery_category_id | integer | no | must refer to an existing delivery category', async () => {
      expect((await accepted({})).delivery_category_id).toBeNull();
      await refused({ delivery_category_id: 999_999 }, 'delivery_category_id', /existing delivery category/);
      await refused({ delivery_category_id: '1' }, 'delivery_category_id', /must be an integer/);
    });

    it('segment_id | integer | no | omitted means all subscribers', async () => {
      expect((await accepted({})).segment_id).toBeNull();
      await refused({ segment_id: 999_999 }, 'segment_id', /existing segment/);
      await refused({ segment_id: 1.5 }, 'segment_id', /must be an integer/);
    });

    it('scheduled_at | datetime | no | ISO 8601, in the future; omitted means send immediately', async () => {
      expect(await accepted({})).toMatchObject({ scheduled_at: null, status: 'pending' });
      expect(await accepted({ scheduled_at: '2099-06-01T08:30:00+02:00' })).toMatchObject({
        scheduled_at: '2099-06-01T06:30:00+00:00',
        status: 'scheduled',
      });
      await accepted({ scheduled_at: inMs(60_000) });
      await refused({ scheduled_at: inMs(-1_000) }, 'scheduled_at', /must be in the future/);
      for (const scheduled_at of ['tomorrow', '2099-01-01', '2099-02-30T00:00:00Z']) {
        await refused({ scheduled_at }, 'scheduled_at', /ISO 8601/);
      }
      await refused({ scheduled_at: 4_102_444_800 }, 'scheduled_at', /must be a string/);
    });

    it('ignore_frequency_cap | boolean | no | default false', async () => {
      expect((await accepted({})).ignore_frequency_cap).toBe(false);
      expect((await accepted({ ignore_frequency_cap: true })).ignore_frequency_cap).toBe(true);
      await refused({ ignore_frequency_cap: 'true' }, 'ignore_frequency_cap', /true or false/);
    });

    it('action_buttons | array | no | <= 2 items, each {title: string <= 48 chars, url: URL}', async () => {
      expect((await accepted({})).action_buttons).toEqual([]);
      const two = [button({ title: 'x'.repeat(48) }), button({ title: '😀'.repeat(48) })];
      expect((await accepted({ action_buttons: two })).action_buttons).toEqual(two);
      await refused({ action_buttons: [...two, button()] }, 'action_buttons', /more than 2/);
      const long = [button({ title: 'x'.repeat(49) })];
      await refused({ action_buttons: long }, 'action_buttons.0.title', /longer than 48/);
      await refused({ action_buttons: [button({ title: '' })] }, 'action_buttons.0.title', /not be empty/);
      await refused({ action_buttons: [button(), button({ url: 'x' })] }, 'action_buttons.1.url', /be a URL/);
      await refused({ action_buttons: [{ title: 'x' }] }, 'action_buttons.0.url', /is required/);
      await refused({ action_buttons: 'x' }, 'action_buttons', /must be an array/);
    });

    it("ttl_seconds | integer | no | 0-2419200; falls back to the app's default_ttl_seconds", async () => {
      expect((await accepted({})).ttl_seconds).toBe(600);
      expect((await accepted({ ttl_seconds: 0 })).ttl_seconds).toBe(0);
      expect((await accepted({ ttl_seconds: 2_419_200 })).ttl_seconds).toBe(2_419_200);
      await refused({ ttl_seconds: -1 }, 'ttl_seconds', /at least 0/);
      await refused({ ttl_seconds: 2_419_201 }, 'ttl_seconds', /greater than 2419200/);
      await refused({ ttl_seconds: 1.5 }, 'ttl_seconds', /must be an integer/);
      await refused({ ttl_seconds: '600' }, 'ttl_seconds', /must be an integer/);
    });

    it('require_interaction | boolean | no | persistent notification (Chrome/Edge)', async () => {
      // Left out, the app's default.
      expect((await accepted({})).require_interaction).toBe(true);
      expect((await accepted({ require_interaction: false })).require_interaction).toBe(false);
      await refused({ require_interaction: 0 }, 'require_interaction', /true or false/);
    });

    it('topic | string | no | <= 32 chars, letters, digits, dash, underscore', async () => {
      expect((await accepted({})).topic).toBeNull();
      const topic = 'Aa0-_'.padEnd(32, 'z');
      expect((await accepted({ topic })).topic).toBe(topic);
      await refused({ topic: 'x'.repeat(33) }, 'topic', /longer than 32/);
      for (const wrong of ['a b', '', 'a\n', 'é', 'a.b', 'a/b']) {
        await refused({ topic: wrong }, 'topic', /letters, digits/);
      }
    });
  });

  describe('Deliveries', () => {
    it('POST | /apps/{identifier}/deliveries | deliveries:write | 201, created Delivery', async () => {
      const data = await accepted({});
      expect(data).toMatchObject({ ...deliveryBody(), source_type: 'api', error_message: null });
      expect((await call('GET', `${path}/${data.id}`)).json()).toMatchObject({ data });
    });

    it('POST | …/{delivery_id}/cancel | deliveries:write | 200, refreshed Delivery, `cancelled`; no body is sent', async () => {
      const { id } = await accepted({});
      const answer = await call('POST', `${path}/${id}/cancel`);
      expect([answer.statusCode, answer.json().data]).toMatchObject([200, { id, status: 'cancelled' }]);
      expect((await call('GET', `${path}/${id}`)).json()).toMatchObject(answer.json());
    });
  });
});
