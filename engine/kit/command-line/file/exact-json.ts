type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

const digits: Reviver = (_key, value, { source }) => (typeof value === 'number' ? source : value);

/**
 * JSON whose numbers stay the written digits, as texts: an amount must not pass through a double.
 * @throws SyntaxError where it is not JSON.
 */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, digits as (key: string, value: unknown) => unknown);
