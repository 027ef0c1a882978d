import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { conditionSchemas } from '../../../engine/contract/audience.ts';

/** Each kind of condition, which its `field` and `operator` identify. */
export const conditionKinds = conditionSchemas.map((schema) => ({
  /** Possible values of `field`. */
  fields: wordsOf(schema.properties.field),
  /** Possible values of `operator`. */
  operators: wordsOf(schema.properties.operator),
  /** What a condition of this kind is made of. */
  names: new Set(Object.keys(schema.properties)),
  validator: Compile(schema as TSchema),
}));

function wordsOf({ enum: words }: { readonly enum: readonly string[] }): readonly string[] {
  return words;
}
