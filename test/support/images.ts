import { lookup } from 'node:dns';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import type { PublicAddresses } from '../../engine/network/public-addresses.ts';

const chunk = (type: string, data: Buffer): Buffer => {
  const checked = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, sum]);
};

/** A grey PNG of the size given; `bytes` of them with a text that fills it up. */
export function makePng(given: { width?: number; height?: number; bytes?: number } = {}): Buffer {
  const { width = 64, height = 32 } = given;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  // What claims to be absurdly large has no pixels: it is refused before they are checked.
  const rows = width * height > 100_000_000 ? 0 : height * (1 + Math.ceil(width / 8));
  const pixels = deflateSync(Buffer.alloc(rows));
  const whole = (fill: number): Buffer =>
    Buffer.concat([
      ...[Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header)],
      ...(fill < 0 ? [] : [chunk('tEXt', Buffer.alloc(fill, 'a'))]),
      ...[chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))],
    ]);
  return whole((given.bytes ?? 0) - whole(0).length);
}

const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

/** A grey JPEG of one frame: each of its blocks is coded as two bits. */
export function makeJpeg(given: { width?: number; height?: number; frame?: number } = {}): Buffer {
  const { width = 64, height = 32, frame = 0xc0 } = given;
  const size = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  size.writeUInt16BE(height, 1);
  size.writeUInt16BE(width, 3);
  const oneCode = Buffer.concat([Buffer.from([1]), Buffer.alloc(16)]);
  const blocks = width * height > 100_000_000 ? 0 : Math.ceil(width / 8) * Math.ceil(height / 8);
  return Buffer.concat([
    ...[Buffer.from([0xff, 0xd8]), segment(0xdb, Buffer.alloc(65, 1).fill(0, 0, 1)), segment(frame, size)],
    ...[0x00, 0x10].map((table) => segment(0xc4, Buffer.concat([Buffer.from([table]), oneCode]))),
    ...[segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.alloc(Math.ceil(blocks / 4))],
    Buffer.from([0xff, 0xd9]),
  ]);
}

export interface ImageServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Paths asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function startImageServer(answer: RequestListener): Promise<ImageServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The guard with one door open: what the tests themselves serve. */
export const loopbackAllowed: PublicAddresses = {
  allows: (host) => host === '127.0.0.1' || !/^[\d.:]+$/.test(host),
  lookup,
};
