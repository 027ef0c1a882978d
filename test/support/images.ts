import { lookup } from 'node:dns';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PublicAddresses } from '../../engine/network/public-addresses.ts';

/** The start of a PNG of the size given, filled up with zeros to `bytes`. */
export function makePng(given: { width?: number; height?: number; bytes?: number } = {}): Buffer {
  const head = Buffer.alloc(33);
  head.write('89504e470d0a1a0a0000000d49484452', 'hex');
  head.writeUInt32BE(given.width ?? 64, 16);
  head.writeUInt32BE(given.height ?? 32, 20);
  return Buffer.concat([head, Buffer.alloc((given.bytes ?? 40) - head.length)]);
}

/** A JPEG as cameras write it: a segment of metadata, fill bytes, then the frame header. */
export function makeJpeg(given: { width?: number; height?: number; frame?: number } = {}): Buffer {
  const frame = Buffer.from([0xff, given.frame ?? 0xc2, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(given.height ?? 32, 5);
  frame.writeUInt16BE(given.width ?? 64, 7);
  const exif = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 12]), Buffer.from('Exif\0\0\xff\xc0ab', 'latin1')]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), exif, Buffer.from([0xff, 0xff]), frame]);
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
