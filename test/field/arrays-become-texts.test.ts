// tier: unit
// People report that Prototype 1.6 on a page turns arrays into texts where a script writes JSON:
// https://github.com/prototypejs/prototype/issues/327, https://github.com/getsentry/sentry-javascript/issues/2205
import { expect, it } from 'vitest';
import { jsonOf } from '../../api/sdk/browser/json.ts';

it('the SDK’s own JSON does not ask what a page has put on all arrays, texts and objects', () => {
  const changed = [Array.prototype, String.prototype, Number.prototype, Object.prototype];
  const toJSON = (): string => 'changed';
  try {
    for (const owner of changed) Object.assign(owner, { toJSON });
    expect(jsonOf({ tags: [{ key: 'city', value: 'Ulm' }], ids: [1], on: true })).toBe(
      '{"tags":[{"key":"city","value":"Ulm"}],"ids":[1],"on":true}',
    );
  } finally {
    for (const owner of changed) delete (owner as { toJSON?: unknown }).toJSON;
  }
});
