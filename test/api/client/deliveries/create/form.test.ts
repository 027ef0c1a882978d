// tier: postgres
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MAX_IMAGE_BYTES } from '../../../../../engine/notification/images/check-image.ts';
import { makeJpeg, makePng } from '../../../../support/images.ts';
import { appBody, bearer, callAs, deliveryBody, openWithMember } from '../../../support.ts';

type Part = string | { bytes: Buffer; filename?: string; type?: string };

describe('a delivery from a form', async () => {
  const { api, member } = await openWithMember();
  const token = member.token;
  const app = (await callAs(api.app, member)('POST', '/apps', appBody())).json().data;
  const url = `/api/v1/client/apps/${app.identifier}/deliveries`;

  const encode = (parts: readonly (readonly [string, Part])[]): Buffer => {
    const chunks = parts.flatMap(([name, part]) => {
      const file = typeof part === 'string' ? null : part;
      const head =
        file === null
          ? ''
          : `; filename="${file.filename ?? 'a.png'}"\r\nContent-Type: ${file.type ?? 'image/png'}`;
      return [
        Buffer.from(`--edge\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n`),
        file?.bytes ?? Buffer.from(part as string),
        Buffer.from('\r\n'),
      ];
    });
    return Buffer.concat([...chunks, Buffer.from('--edge--\r\n')]);
  };
  const send = (payload: Buffer, headers: object = {}) =>
    api.app.inject({
      method: 'POST',
      url,
      headers: { ...bearer(token), 'content-type': 'multipart/form-data; boundary=edge', ...headers },
      payload,
    });
  const post = (fields: Readonly<Record<string, Part>>, headers: object = {}) =>
    send(encode([...Object.entries(deliveryBody()), ...Object.entries(fields)] as [string, Part][]), headers);
  const created = async (fields: Readonly<Record<string, Part>>) => {
    const answer = await post(fields);
    expect([answer.statusCode, answer.json().errors]).toEqual([201, undefined]);
    return answer.json().data;
  };
  const errors = async (fields: Readonly<Record<string, Part>>) => {
    const answer = await post(fields);
    return [answer.statusCode, answer.json().errors];
  };

  it('is the delivery that the same JSON makes', async () => {
    const data = await created({
      ttl_seconds: '60',
      ignore_frequency_cap: 'true',
      require_interaction: 'false',
      rate_per_minute: '1000',
      topic: 'weather',
      title: 'Dzień dobry 😀',
    });
    expect(data).toMatchObject({
      title: 'Dzień dobry 😀',
      ttl_seconds: 60,
      ignore_frequency_cap: true,
      require_interaction: false,
      rate_per_minute: 1_000,
      topic: 'weather',
    });
  });

  it('may carry its image as a file of any name', async () => {
    const bytes = makePng({ bytes: MAX_IMAGE_BYTES });
    const { image_url } = await created({ image_url: { bytes, filename: '../x.exe', type: 'text/html' } });
    // Without the text that fills it up.
    const shown = makePng();
    const name = createHash('sha256').update(shown).digest('hex');
    expect(image_url).toMatch(new RegExp(`/images/${name}\\.png$`));
    const served = await api.app.inject(`/images/${name}.png`);
    expect([served.statusCode, served.rawPayload.equals(shown)]).toEqual([200, true]);
    expect((await created({ image_url: { bytes: makeJpeg() } })).image_url).toMatch(/\.jpg$/);
  });

  it('is refused with a file that is too large, no image, or in another field', async () => {
    const large = { bytes: makePng({ bytes: MAX_IMAGE_BYTES + 1 }) };
    expect(await errors({ image_url: large })).toEqual([
      422,
      { image_url: ['The image_url field must not be larger than 2 MB.'] },
    ]);
    expect(await errors({ image_url: { bytes: Buffer.from('GIF89a') } })).toEqual([
      422,
      { image_url: ['The image_url field must be a PNG or JPG image.'] },
    ]);
    expect(await errors({ topic: { bytes: makePng() } })).toEqual([
      422,
      { topic: ['The topic field must not be a file.'] },
    ]);
  });

  it.each([
    { action_buttons: '[{"title":"A","url":"https://a.example"},{"title":"B","url":"https://b.example"}]' },
    {
      'action_buttons[0][title]': 'A',
      'action_buttons[0][url]': 'https://a.example',
      'action_buttons[3][url]': 'https://b.example',
      'action_buttons[3][title]': 'B',
    },
  ])('takes buttons as %j', async (fields) => {
    expect((await created(fields as unknown as Record<string, string>)).action_buttons).toEqual([
      { title: 'A', url: 'https://a.example' },
      { title: 'B', url: 'https://b.example' },
    ]);
  });

  it.each([
    ['action_buttons[0]titel', /is not named as forms name fields/],
    ['action_buttons[0][titel]', /did you mean action_buttons\.0\.title\?/],
    ['action_button[0][title]', /did you mean action_buttons\?/],
    ['segmentId', /did you mean segment_id\?/],
    ['delivery[title]', /is not a field of this request/],
  ])('is refused where a field is named %s', async (name, words) => {
    const answer = await post({ [name]: '1' });
    expect([answer.statusCode, answer.json().message]).toEqual([422, expect.stringMatching(words)]);
  });

  it.each([
    ['a text', 'name="title"', 'Gr\xfc\xdfe'],
    ['a field’s name', 'name="t\xfctle"', 'x'],
    ['a file’s name', 'name="image_url"; filename="Gr\xfcn.png"', ''],
    ['a text said to be JSON', 'name="title"\r\nContent-Type: application/json', '"Gr\xfc\xdfe"'],
    [
      'a text with a charset of its own',
      'name="title"\r\nContent-Type: text/plain; charset=iso-8859-1',
      '\xfc',
    ],
  ])('is refused where %s is not UTF-8', async (_, head, text) => {
    const part = `--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n--edge--\r\n`;
    const answer = await send(Buffer.from(part, 'latin1'));
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: 'The request holds text that is not UTF-8: encode it as UTF-8.' },
    ]);
  });

  it('takes an empty text, and an empty file, for a field that was left out', async () => {
    const empty = { bytes: Buffer.alloc(0), filename: '', type: 'application/octet-stream' };
    const data = await created({
      segment_id: '',
      ttl_seconds: '',
      topic: '',
      action_buttons: '',
      image_url: empty,
    });
    expect(data).toMatchObject({ segment_id: null, topic: null, action_buttons: [], image_url: null });
    expect(await errors({ title: '' })).toEqual([422, { title: ['The title field is required.'] }]);
  });

  it.each([
    [{ ttl_seconds: '1.5' }, 'ttl_seconds', /must be an integer/],
    [{ ttl_seconds: ' 1' }, 'ttl_seconds', /must be an integer/],
    [{ ttl_seconds: '2419201' }, 'ttl_seconds', /greater than/],
    [{ ignore_frequency_cap: 'yes' }, 'ignore_frequency_cap', /true or false/],
    [{ action_buttons: 'nonsense' }, 'action_buttons', /must be an array/],
    [{ action_buttons: '{"title":"A"}' }, 'action_buttons', /must be an array/],
    [{ 'action_buttons[0][title]': 'A' }, 'action_buttons.0.url', /is required/],
    [{ scheduled_at: 'tomorrow' }, 'scheduled_at', /ISO 8601/],
    [{ image_url: 'data:image/png;base64,AA' }, 'image_url', /must be a URL/],
    [{ title: 'x'.repeat(20_000) }, 'title', /too long/],
    [{ title: 'a\0b' }, 'title', /cannot be stored/],
  ])('answers 422 for %j', async (fields, field, words) => {
    expect(await errors(fields as Record<string, string>)).toEqual([
      422,
      { [field]: [expect.stringMatching(words)] },
    ]);
  });

  it('is bounded in its fields, its files and its whole length', async () => {
    const many = Array.from({ length: 43 }, (_, n) => [`f${n}`, 'x'] as const);
    expect((await send(encode(many))).statusCode).toBe(413);
    const twice = [
      ['image_url', { bytes: makePng() }] as const,
      ['image_url', { bytes: makePng() }] as const,
    ];
    expect((await send(encode(twice))).statusCode).toBe(413);
    expect(await errors({ image_url: { bytes: makePng({ bytes: 4_000_000 }) } })).toEqual([
      422,
      { image_url: ['The image_url field must not be larger than 2 MB.'] },
    ]);
  });

  it.each([
    ['cut off', (whole: Buffer) => whole.subarray(0, -20), {}],
    ['without a boundary', (whole: Buffer) => whole, { 'content-type': 'multipart/form-data' }],
    [
      'with another boundary',
      (whole: Buffer) => whole,
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
    [
      'with a part that claims JSON and is none',
      () =>
        Buffer.from(
          '--edge\r\nContent-Disposition: form-data; name="x"\r\nContent-Type: application/json\r\n\r\n{\r\n--edge--\r\n',
        ),
      {},
    ],
  ])('answers 400 %s', async (_, change, headers) => {
    const whole = encode(Object.entries(deliveryBody()) as [string, string][]);
    const answer = await send(change(whole), headers);
    expect([answer.statusCode, answer.json()]).toEqual([400, { message: 'The request is malformed.' }]);
  });

  it('is known again under an Idempotency-Key by its file too', async () => {
    const key = { 'idempotency-key': 'form-1' };
    const image = { bytes: makePng({ width: 5 }) };
    const first = await post({ image_url: image }, key);
    const again = await post({ image_url: image }, key);
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect((await post({ image_url: { bytes: makePng({ width: 6 }) } }, key)).statusCode).toBe(422);
    expect((await post({}, key)).statusCode).toBe(422);
  });

  it('needs a token like any other', async () => {
    const answer = await send(encode([]), { authorization: 'Bearer 1|x' });
    expect(answer.statusCode).toBe(401);
  });
});
