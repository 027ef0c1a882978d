import { isMoment, numberOf, type SqlType, textOf, type Value } from './values.ts';
import { unsupported } from './wire-error.ts';

/** Days and milliseconds from 1970 to 2000, from which Postgres counts in its binary form. */
const EPOCH_DAYS = 10_957;
const EPOCH_MS = EPOCH_DAYS * 86_400_000;

/** A field of a row. @param binary as the client wants it; otherwise as text. */
export function encodeValue(type: SqlType, value: Value, binary: boolean): Buffer | null {
  if (value === null) return null;
  return binary ? binaryOf(type, value) : Buffer.from(textOf(value));
}

function binaryOf(type: SqlType, value: Exclude<Value, null>): Buffer {
  switch (type) {
    case 'bool':
      return Buffer.from([value === true ? 1 : 0]);
    case 'int2': {
      const bytes = Buffer.alloc(2);
      bytes.writeInt16BE(numberOf(value));
      return bytes;
    }
    case 'int4':
      return int32(numberOf(value));
    case 'oid':
      return int32(numberOf(value) | 0);
    case 'int8':
      return int64(BigInt(textOf(value)));
    case 'float8': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleBE(numberOf(value));
      return bytes;
    }
    case 'date':
      return int32(msOf(value) / 86_400_000 - EPOCH_DAYS);
    case 'timestamp':
    case 'timestamptz':
      return int64(BigInt(Math.round((msOf(value) - EPOCH_MS) * 1_000)));
    case 'numeric':
      return binaryNumeric(textOf(value));
    case 'interval':
      throw unsupported('intervals are not sent in binary form');
    case 'text':
    case 'varchar':
    case 'name':
      return Buffer.from(textOf(value));
  }
}

const msOf = (value: Value): number => (isMoment(value) ? value.ms : 0);

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

const NEGATIVE = 0x40_00;

/** `numeric_send` in Postgres' numeric.c: groups of four digits around the point, their weight, sign and scale. */
function binaryNumeric(text: string): Buffer {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const left = whole.padStart(Math.ceil(whole.length / 4) * 4, '0');
  const right = fraction.padEnd(Math.ceil(fraction.length / 4) * 4, '0');
  const groups = (left + right).match(/\d{4}/g) ?? [];
  let weight = left.length / 4 - 1;
  while (groups[0] === '0000') {
    groups.shift();
    weight -= 1;
  }
  while (groups.at(-1) === '0000') groups.pop();
  const bytes = Buffer.alloc(8 + groups.length * 2);
  bytes.writeInt16BE(groups.length, 0);
  bytes.writeInt16BE(groups.length === 0 ? 0 : weight, 2);
  bytes.writeInt16BE(text.startsWith('-') ? NEGATIVE : 0, 4);
  bytes.writeInt16BE(fraction.length, 6);
  for (const [index, group] of groups.entries()) bytes.writeInt16BE(Number(group), 8 + index * 2);
  return bytes;
}

/** A parameter of a statement. @throws WireError where its bytes are none of the type. */
export function decodeParameter(type: SqlType, bytes: Buffer, binary: boolean): Value {
  if (!binary) return bytes.toString('utf8');
  switch (type) {
    case 'bool':
      return bytes[0] === 1;
    case 'int2':
    case 'int4':
    case 'int8':
    case 'oid':
      return integerOf(bytes);
    case 'float8':
      return bytes.length === 4 ? bytes.readFloatBE() : bytes.readDoubleBE();
    case 'date':
      return { kind: 'date', ms: (bytes.readInt32BE() + EPOCH_DAYS) * 86_400_000 };
    case 'timestamp':
    case 'timestamptz':
      return { kind: type, ms: Number(bytes.readBigInt64BE() / 1_000n) + EPOCH_MS };
    case 'numeric':
    case 'interval':
      throw unsupported(`parameters of the type ${type} are taken as text`);
    case 'text':
    case 'varchar':
    case 'name':
      return bytes.toString('utf8');
  }
}

const integerOf = (bytes: Buffer): number =>
  bytes.length === 8 ? Number(bytes.readBigInt64BE()) : bytes.readIntBE(0, bytes.length);
