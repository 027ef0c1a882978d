import { createHeaderDecoder, type HeaderDecoder, HpackError } from '../../../engine/worker/hpack/decoder.ts';
import { type HeaderEncoder, maxBlockBytes } from '../../../engine/worker/hpack/encoder.ts';
import { appendixB } from './appendix-b.ts';

/** Names and values in turn. */
export type Fields = readonly string[];

export const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(/\s/g, ''), 'hex');

export const anyDecoder = (): HeaderDecoder =>
  createHeaderDecoder({ maxTableBytes: 4_096, maxListBytes: 1_000_000 });

export function decodeAll(decoder: HeaderDecoder, block: Buffer): string[] {
  const fields: string[] = [];
  decoder.decode(block, (name, value) => fields.push(name, value));
  return fields;
}

/** The dynamic table as its references show it, newest first. Of a decoder that is not used afterwards. */
export function tableOf(decoder: HeaderDecoder): string[] {
  const entries: string[] = [];
  for (let index = 62; ; index++) {
    try {
      decoder.decode(Buffer.from(integer(0x80, 7, index)), (name, value) =>
        entries.push(`${name}: ${value}`),
      );
    } catch (error) {
      if (error instanceof HpackError) return entries;
      throw error;
    }
  }
}

/** A block in a buffer that is exactly as long as it must be, and checked not to be left. */
export function encode(encoder: HeaderEncoder, path: string, fields: Fields): Buffer {
  const [before, room] = [5, maxBlockBytes(path, fields)];
  const target = Buffer.alloc(before + room + 8, 0xaa);
  const end = encoder.write(target, before, path, fields);
  if (end > before + room) throw new Error(`a block of ${end - before} bytes where ${room} were announced`);
  for (const outside of [target.subarray(0, before), target.subarray(end)])
    if (outside.some((octet) => octet !== 0xaa)) throw new Error('written outside of the block');
  return target.subarray(before, end);
}

export function integer(pattern: number, bits: number, value: number): number[] {
  const full = 2 ** bits - 1;
  if (value < full) return [pattern + value];
  const octets = [pattern + full];
  let rest = value - full;
  for (; rest >= 128; rest = Math.floor(rest / 128)) octets.push(128 + (rest % 128));
  return [...octets, rest];
}

export const rawString = (text: string): Buffer =>
  Buffer.concat([Buffer.from(integer(0, 7, text.length)), Buffer.from(text, 'latin1')]);

export function huffmanString(text: string): Buffer {
  const coded = huffman([...Buffer.from(text, 'latin1')]);
  return Buffer.concat([Buffer.from(integer(0x80, 7, coded.length)), coded]);
}

/** @param symbols octets, or 256 for EOS. */
export function huffman(symbols: readonly number[], padding = '1111111'): Buffer {
  const codes = symbols.map((symbol) => {
    const [code, bits] = appendixB[symbol] as readonly [number, number];
    return code.toString(2).padStart(bits, '0');
  });
  const bits = codes.join('') + padding;
  const octets = bits.slice(0, bits.length - (bits.length % 8)).match(/.{8}/g) ?? [];
  return Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)));
}
