import { createHeaderDecoder, HpackError } from '../hpack/decoder.ts';
import { DEFAULT_TABLE_BYTES } from '../hpack/dynamic-table.ts';
import { createFrameReader, type Frame, withoutPadding } from './frame-reader.ts';
import { createHeaderBlocks } from './header-blocks.ts';
import { flag, frameType, Http2Error, MAX_FRAME_BYTES, setting } from './protocol.ts';

/** Frames of the peer, checked as far as possible without knowing a stream. */
export interface Said {
  /** The identifier of the last stream that was opened; the peer may name none above it. */
  lastId(): number;
  /** `status` is 0 in trailers, and below that where it is no status. */
  headers(id: number, status: number, retryAfter: string | null, endsStream: boolean): void;
  /** @param frameBytes the bytes that count against the windows, padding included. */
  data(id: number, piece: Buffer, frameBytes: number, endsStream: boolean): void;
  reset(id: number, code: number): void;
  setting(id: number, value: number): void;
  /** All settings of one frame were reported. */
  settings(): void;
  ping(payload: Buffer): void;
  pong(): void;
  goAway(lastId: number, code: number): void;
  /** @param id 0: of the connection. */
  windowUpdate(id: number, bytes: number): void;
  /** A frame came that makes no progress for any request. @throws Http2Error at too many */
  fruitless(payloadBytes: number): void;
}

/** RFC 9110 section 15. `Number` would take an empty one, and `2e2`. */
const threeDigits = /^[1-9]\d\d$/;
const WRONG_STATUS = -1;
export const MAX_HEADER_LIST_BYTES = 16_384;
/** A block may come in parts as short as one byte, and each of them is a frame to read. */
const MIN_BLOCK_PART_BYTES = 64;

/**
 * @returns takes the bytes of the socket. @throws Http2Error when the connection must end.
 */
export function createIncoming(said: Said): (chunk: Buffer) => void {
  const decoder = createHeaderDecoder({
    maxTableBytes: DEFAULT_TABLE_BYTES,
    maxListBytes: MAX_HEADER_LIST_BYTES,
  });
  const blocks = createHeaderBlocks(readBlock);
  const read = createFrameReader(onFrame);
  let hasSettings = false;

  function onFrame(frame: Frame): void {
    const { type, flags, streamId, payload } = frame;
    if (blocks.isOpen() && type !== frameType.continuation) throw broken('a header block is interrupted');
    if (!hasSettings && type !== frameType.settings) throw broken('no SETTINGS at first');
    if (isFruitless(frame)) said.fruitless(payload.length);
    switch (type) {
      case frameType.data:
        readData(opened(frame));
        break;
      case frameType.headers:
        blocks.begin(opened(frame));
        break;
      case frameType.continuation:
        blocks.continue(frame);
        break;
      case frameType.resetStream:
        said.reset(opened(frame).streamId, sized(payload, 4).readUInt32BE(0));
        break;
      case frameType.settings:
        readSettings(frame);
        break;
      case frameType.pushPromise:
        throw broken('a push that was not allowed');
      case frameType.ping:
        sized(ofConnection(frame).payload, 8);
        if ((flags & flag.ack) === 0) said.ping(payload);
        else said.pong();
        break;
      case frameType.goAway:
        if (ofConnection(frame).payload.length < 8) throw new Http2Error('FRAME_SIZE_ERROR', 'GOAWAY');
        said.goAway(payload.readUInt32BE(0) & 0x7fff_ffff, payload.readUInt32BE(4));
        break;
      case frameType.windowUpdate:
        if (streamId !== 0) opened(frame);
        said.windowUpdate(streamId, sized(payload, 4).readUInt32BE(0) & 0x7fff_ffff);
    }
    // Others belong to extensions that were not negotiated (section 5.5).
  }

  /** Clients open the odd ones. */
  function opened(frame: Frame): Frame {
    if (frame.streamId % 2 === 0 || frame.streamId > said.lastId())
      throw broken('a stream that was never opened');
    return frame;
  }

  function ofConnection(frame: Frame): Frame {
    if (frame.streamId !== 0) throw broken('a stream’s frame that is the connection’s');
    return frame;
  }

  function readBlock(id: number, endsStream: boolean, block: Buffer): void {
    let status = 0;
    let retryAfter: string | null = null;
    // Even for a stream that is gone: the table of names must keep in step.
    decoder.decode(block, (name, value) => {
      if (name === ':status') status = threeDigits.test(value) ? Number(value) : WRONG_STATUS;
      else if (name === 'retry-after') retryAfter = value;
    });
    said.headers(id, status, retryAfter, endsStream);
  }

  function readData({ streamId, flags, payload }: Frame): void {
    const piece = (flags & flag.padded) === 0 ? payload : withoutPadding(payload);
    said.data(streamId, piece, payload.length, (flags & flag.endStream) !== 0);
  }

  function readSettings(frame: Frame): void {
    const { flags, payload } = ofConnection(frame);
    if ((flags & flag.ack) !== 0) return void sized(payload, 0);
    if (payload.length % 6 !== 0) throw new Http2Error('FRAME_SIZE_ERROR', 'SETTINGS');
    hasSettings = true;
    for (let at = 0; at < payload.length; at += 6) {
      const id = payload.readUInt16BE(at);
      const value = payload.readUInt32BE(at + 2);
      // Our frames stay short, whatever the peer allows.
      if (id === setting.maxFrameSize && value < MAX_FRAME_BYTES) throw broken('SETTINGS_MAX_FRAME_SIZE');
      said.setting(id, value);
    }
    said.settings();
  }

  return function take(chunk) {
    try {
      read(chunk);
    } catch (error) {
      throw error instanceof HpackError ? new Http2Error('COMPRESSION_ERROR', error.message) : error;
    }
  };
}

/** DATA, HEADERS, resets and windows may bring a stream forward: the owner of the stream counts those. */
function isFruitless({ type, payload }: Frame): boolean {
  switch (type) {
    case frameType.data:
    case frameType.headers:
    case frameType.resetStream:
    case frameType.windowUpdate:
      return false;
    case frameType.continuation:
      return payload.length < MIN_BLOCK_PART_BYTES;
    default:
      return true;
  }
}

const broken = (message: string) => new Http2Error('PROTOCOL_ERROR', message);

function sized(payload: Buffer, bytes: number): Buffer {
  if (payload.length !== bytes) throw new Http2Error('FRAME_SIZE_ERROR', `${payload.length} bytes`);
  return payload;
}
