import { crc32, deflateSync } from 'node:zlib';

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

/** A PNG that a browser can show: an evening sky over the sea. */
export function paintPicture(width = 720, height = 360): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x++) row.set(colorAt(x / width, y / height), 1 + x * 3);
    return row;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function colorAt(x: number, y: number): number[] {
  if (Math.hypot((x - 0.7) * 2, y - 0.45) < 0.12 && y < 0.62) return [255, 214, 120];
  return y < 0.62
    ? [40 + 190 * y, 60 + 120 * y, 140 - 20 * y]
    : [24 + 40 * (1 - y), 52 + 50 * (1 - y), 92 + 60 * (1 - y)];
}
