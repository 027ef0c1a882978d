import { type HeaderEncoder, maxBlockBytes } from '../hpack/encoder.ts';
import type { FrameWriter } from './frame-writer.ts';
import { DEFAULT_WINDOW, flag, frameType, Http2Error, MAX_FRAME_BYTES, MAX_WINDOW } from './protocol.ts';

export interface OutgoingStream {
  readonly id: number;
  readonly body: Buffer;
  sentBytes: number;
  /** The flow-control window of this stream; below 0 when the peer lowered it (section 6.9.2). */
  window: number;
}

/** Requests on their way out, within the peer's windows (RFC 9113 section 5.2). */
export interface Outgoing {
  /** The whole block in one frame: paths and headers are bounded far below its size. */
  headers(id: number, encoder: HeaderEncoder, path: string, fields: readonly string[]): void;
  /** As much of the body as the windows allow; the rest waits for `goOn`. */
  body(stream: OutgoingStream): void;
  /** Drops what is still queued for it. */
  drop(stream: OutgoingStream): void;
  /** The connection's window is used up: a further body would only wait. One that waits for its own stops no other. */
  isFull(): boolean;
  initialWindow(): number;
  /** @returns how many bytes of the bodies that waited went out. */
  goOn(): number;
  /** What it lets out goes with `goOn`, once the settings are acknowledged. @throws Http2Error at a window too large. */
  setInitialWindow(bytes: number, streams: Iterable<OutgoingStream>): void;
  /** The connection's window. @throws Http2Error. */
  widen(bytes: number): void;
  /** @returns false where the peer may not do that to the stream. */
  widenStream(stream: OutgoingStream, bytes: number): boolean;
}

export function createOutgoing(writer: FrameWriter): Outgoing {
  /**
   * Streams with a window of their own. One that waits for that is not among them: with windows of a byte, each
   * frame of the peer would walk through all the streams.
   */
  const waiting = new Set<OutgoingStream>();
  let window = DEFAULT_WINDOW;
  let initialWindow = DEFAULT_WINDOW;

  function body(stream: OutgoingStream): void {
    const { id, body: bytes } = stream;
    for (;;) {
      const left = bytes.length - stream.sentBytes;
      const size = Math.min(left, window, stream.window, MAX_FRAME_BYTES);
      if (left > 0 && size <= 0) {
        if (stream.window > 0) waiting.add(stream);
        else waiting.delete(stream);
        return;
      }
      const { target, at } = writer.frame(frameType.data, size === left ? flag.endStream : 0, id, size);
      bytes.copy(target, at, stream.sentBytes, stream.sentBytes + size);
      stream.sentBytes += size;
      stream.window -= size;
      window -= size;
      if (size === left) {
        waiting.delete(stream);
        return;
      }
    }
  }

  function goOn(): number {
    const before = window;
    for (const stream of waiting) {
      if (window <= 0) break;
      body(stream);
    }
    return before - window;
  }

  return {
    body,
    goOn,
    headers(id, encoder, path, fields) {
      writer.frameOf(frameType.headers, flag.endHeaders, id, maxBlockBytes(path, fields), (target, at) =>
        encoder.write(target, at, path, fields),
      );
    },
    drop: (stream) => void waiting.delete(stream),
    isFull: () => window <= 0,
    initialWindow: () => initialWindow,
    setInitialWindow(bytes, streams) {
      if (bytes > MAX_WINDOW) throw new Http2Error('FLOW_CONTROL_ERROR', 'SETTINGS_INITIAL_WINDOW_SIZE');
      const change = bytes - initialWindow;
      initialWindow = bytes;
      for (const stream of streams) {
        stream.window += change;
        if (stream.window > MAX_WINDOW) throw new Http2Error('FLOW_CONTROL_ERROR', 'a stream’s window');
        if (stream.window > 0 && stream.sentBytes < stream.body.length) waiting.add(stream);
        else waiting.delete(stream);
      }
    },
    widen(bytes) {
      if (bytes === 0) throw new Http2Error('PROTOCOL_ERROR', 'WINDOW_UPDATE of 0');
      window += bytes;
      if (window > MAX_WINDOW) throw new Http2Error('FLOW_CONTROL_ERROR', 'the connection’s window');
    },
    widenStream(stream, bytes) {
      stream.window += bytes;
      if (stream.window > 0 && stream.sentBytes < stream.body.length) waiting.add(stream);
      return bytes > 0 && stream.window <= MAX_WINDOW;
    },
  };
}
