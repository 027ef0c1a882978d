/**
 * What the footer of a file of Parquet says, read by Thrift's compact protocol as its specification writes it: the
 * number of rows, and the pairs of its metadata.
 */
export function parquetFooter(file: Buffer): {
  readonly rows: number;
  readonly keys: ReadonlyMap<string, string>;
} {
  if (file.toString('latin1', file.length - 4) !== 'PAR1') throw new Error('no file of Parquet');
  const length = file.readUInt32LE(file.length - 8);
  const footer = file.subarray(file.length - 8 - length, file.length - 8);
  let at = 0;
  const fields = struct();
  if (at !== footer.length) throw new Error('the footer goes on after its end');
  const pairs = (fields.get(5) ?? []) as readonly ReadonlyMap<number, unknown>[];
  return {
    rows: Number(fields.get(3)),
    keys: new Map(pairs.map((pair) => [String(pair.get(1)), String(pair.get(2))])),
  };

  function byte(): number {
    const value = footer[at++];
    if (value === undefined) throw new Error('the footer is cut');
    return value;
  }
  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const next = byte();
      value |= BigInt(next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
  }
  function zigzag(): bigint {
    const value = varint();
    return (value >> 1n) ^ -(value & 1n);
  }
  function struct(): Map<number, unknown> {
    const found = new Map<number, unknown>();
    let id = 0;
    for (let head = byte(); head !== 0; head = byte()) {
      id = head >> 4 === 0 ? Number(zigzag()) : id + (head >> 4);
      found.set(id, typed(head & 15, true));
    }
    return found;
  }
  function list(): unknown[] {
    const head = byte();
    const count = head >> 4 === 15 ? Number(varint()) : head >> 4;
    return Array.from({ length: count }, () => typed(head & 15, false));
  }
  function typed(type: number, isField: boolean): unknown {
    switch (type) {
      case 1:
      case 2:
        return isField ? type === 1 : byte() === 1;
      case 3:
        return byte();
      case 4:
      case 5:
      case 6:
        return zigzag();
      case 7:
        at += 8;
        return null;
      case 8: {
        const size = Number(varint());
        at += size;
        return footer.toString('utf8', at - size, at);
      }
      case 9:
        return list();
      case 12:
        return struct();
      default:
        throw new Error(`a type ${type} is in no footer of a report`);
    }
  }
}
