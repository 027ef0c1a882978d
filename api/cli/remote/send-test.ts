import { InvalidArgumentError, Option } from 'commander';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';
import type { connect } from './connection.ts';
import { idOf } from './option-parsers.ts';
import { deliveryBodyOf, optionOfField, type SendFields } from './send-body.ts';

/** Of a delivery that has readers, and a time. */
const conflicts = [
  ...['segment', 'category', 'at', 'expires', 'rate', 'lane', 'ignoreFrequencyCap'],
  ...['duringQuietHours', 'rehearsal', 'duplicateGuard', 'confirmDuplicate'],
];

/** True: all of them. */
export type TestBrowsers = readonly number[] | true;

export const testOption = (): Option =>
  new Option('--test [ids]', 'only to your test browsers, now: all of them, or those with these ids (3,5)')
    .argParser(idsOf)
    .conflicts(conflicts);

function idsOf(text: string): readonly number[] {
  if (text === '') throw new InvalidArgumentError('must be ids, such as 3,5.');
  return text.split(',').map(idOf);
}

type Client = ReturnType<typeof connect>;

/** @returns the delivery that it is. */
export async function sendTest(
  client: Client,
  identifier: string,
  browsers: TestBrowsers,
  { key, fields }: { readonly key: string; readonly fields: SendFields },
) {
  const { body, ...form } = await deliveryBodyOf(fields);
  return bodyOf(
    client.POST('/api/v1/client/apps/{identifier}/deliveries/test', {
      params: { path: { identifier } },
      headers: { 'idempotency-key': key },
      body: { ...body, ...(browsers === true ? {} : { test_browser_ids: [...browsers] }) },
      ...form,
    }),
    { ...optionOfField, test_browser_ids: '--test' },
  );
}

/** How it went in each browser. */
export async function resultLines(client: Client, identifier: string, id: number): Promise<string[]> {
  const path = { identifier, delivery_id: String(id) };
  const { data } = await bodyOf(
    client.GET('/api/v1/client/apps/{identifier}/deliveries/{delivery_id}/test-results', {
      params: { path },
    }),
  );
  return tableOf(
    ['BROWSER', 'RESULT'],
    data.browsers.map(({ name, state }) => [name ?? 'removed since', state]),
  );
}
