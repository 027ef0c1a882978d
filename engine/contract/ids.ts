/** Branded identifiers: a number that came through a parser, and cannot be swapped for another kind. */
declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

export type OrganizationId = Branded<number, 'OrganizationId'>;
export type UserId = Branded<number, 'UserId'>;
export type AppId = Branded<number, 'AppId'>;
export type DeliveryId = Branded<number, 'DeliveryId'>;
export type ShardId = Branded<number, 'ShardId'>;

/**
 * Brands a database or log value as an identifier.
 * @throws RangeError when it is not a positive safe integer: such a value is a bug, never a user's mistake.
 */
export function toId<Id extends number>(value: unknown): Id {
  const id = Number(value);
  if (!Number.isSafeInteger(id) || id < 1) throw new RangeError(`not an identifier: ${String(value)}`);
  return id as Id;
}
