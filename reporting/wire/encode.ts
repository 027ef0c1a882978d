import type { Field } from './messages.ts';
import {
  castTo,
  dateOf,
  exactOf,
  isMoment,
  numberOf,
  type SqlType,
  textOf,
  typeOfOid,
  type Value,
} from './values.ts';
import { unsupported } from './wire-error.ts';

/** Days and milliseconds from 1970 to 2000, from which Postgres counts in its binary form. */
const EPOCH_DAYS = 10_957;
const EPOCH_MS = EPOCH_DAYS * 86_400_000;

/** A field of a row. @param binary as the client wants it; otherwise as text. */
export function fieldOf(type: SqlType, value: Value, binary: boolean): Field {
  if (value === null) return null;
  return binary ? binaryOf(type, value) : textOf(value);
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
      return int32(msOf(castTo(type, value)) / 86_400_000 - EPOCH_DAYS);
    case 'timestamp':
    case 'timestamptz':
      return int64(BigInt(Math.round((msOf(value) - EPOCH_MS) * 1_000)));
    case 'numeric':
      return binaryNumeric(textOf(value));
    case 'interval':
    case '_text':
      throw unsupported(`values of the type ${type} are not sent in binary form`);
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

/** `numeric_recv`: the other way round. @throws WireError of NaN and the infinities. */
function numericOf(bytes: Buffer): Value {
  const [count, weight, sign, scale] = [0, 2, 4, 6].map((at) => bytes.readInt16BE(at)) as [
    number,
    number,
    number,
    number,
  ];
  if ((sign !== 0 && sign !== NEGATIVE) || Math.abs(weight) > MAX_GROUPS || scale > MAX_GROUPS)
    throw unsupported('this number is not supported');
  const groupAt = (index: number): string =>
    String(index < 0 || index >= count ? 0 : bytes.readInt16BE(8 + index * 2)).padStart(4, '0');
  const groups = (from: number, to: number): string =>
    Array.from({ length: Math.max(0, to - from) }, (_, index) => groupAt(from + index)).join('');
  const whole = groups(0, weight + 1).replace(/^0{1,40}/, '') || '0';
  const fraction = groups(weight + 1, weight + 1 + Math.ceil(scale / 4)).slice(0, scale);
  return exactOf(`${sign === NEGATIVE ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`);
}

/** Of four digits: numbers of 40 of them, on each side of the point. */
const MAX_GROUPS = 10;

/** `array_recv`, of one dimension. */
function listOf(bytes: Buffer): Value {
  if (bytes.readInt32BE(0) === 0) return [];
  const type = typeOfOid(bytes.readInt32BE(8));
  const count = bytes.readInt32BE(12);
  if (bytes.readInt32BE(0) !== 1 || type === null || type === '_text' || count > MAX_ITEMS)
    throw unsupported('this array is not supported');
  const list: Value[] = [];
  let at = 20;
  for (let index = 0; index < count; index++) {
    const length = bytes.readInt32BE(at);
    at += 4;
    list.push(length === -1 ? null : decodeParameter(type, bytes.subarray(at, at + length), true));
    at += Math.max(0, length);
  }
  return list;
}

const MAX_ITEMS = 10_000;

/** A parameter of a statement. @throws WireError where its bytes are none of the type. */
export function decodeParameter(type: SqlType, bytes: Buffer, binary: boolean): Value {
  if (!binary) return castTo(type, bytes.toString('utf8'));
  switch (type) {
    case 'bool':
      return bytes[0] === 1;
    case 'int2':
    case 'int4':
    case 'oid':
      return bytes.readIntBE(0, bytes.length);
    case 'int8':
      return exactOf(String(bytes.readBigInt64BE()));
    case 'float8':
      return bytes.length === 4 ? bytes.readFloatBE() : bytes.readDoubleBE();
    case 'date':
      return dateOf(bytes.readInt32BE() + EPOCH_DAYS);
    case 'timestamp':
    case 'timestamptz':
      return { kind: type, ms: Number(bytes.readBigInt64BE() / 1_000n) + EPOCH_MS };
    case 'numeric':
      return numericOf(bytes);
    case '_text':
      return listOf(bytes);
    case 'interval':
      throw unsupported('parameters of the type interval are taken as text');
    case 'text':
    case 'varchar':
    case 'name':
      return bytes.toString('utf8');
  }
}
