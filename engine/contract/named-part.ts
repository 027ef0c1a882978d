import { Type } from 'typebox';

/** These subscriptions, of a delivery to test browsers; or, with `welcome`, to new subscribers. */
export const namedPart = Type.Object({
  kind: Type.Literal('named'),
  seqs: Type.Array(Type.Integer({ minimum: 0 })),
  welcome: Type.Optional(Type.Literal(true)),
});
