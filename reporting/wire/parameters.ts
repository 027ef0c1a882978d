import { decodeParameter } from './encode.ts';
import type { SqlType, Value } from './values.ts';
import { WireError } from './wire-error.ts';

/** One format is that of all. */
export const formatAt = (formats: readonly number[], index: number): number =>
  (formats.length === 1 ? formats[0] : formats[index]) ?? 0;

export const parameterOf = (type: SqlType, bytes: Buffer | null, format: number): Value =>
  bytes === null ? null : readParameter(type, bytes, format === 1);

function readParameter(type: SqlType, bytes: Buffer, binary: boolean): Value {
  try {
    return decodeParameter(type, bytes, binary);
  } catch (error) {
    if (error instanceof WireError) throw error;
    throw new WireError('22P03', `the parameter has no binary form of the type ${type}`);
  }
}
