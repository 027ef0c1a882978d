import type { FrameWriter } from './frame-writer.ts';
import { DEFAULT_WINDOW, frameType } from './protocol.ts';

/** For all answers of the connection together: bodies are read or dropped as they come, nothing is held. */
const WINDOW = 1_048_576;

/** Lets the peer go on as bodies are read (RFC 9113 section 5.2). */
export interface ReceiveWindow {
  open(): void;
  took(bytes: number): void;
}

export function createReceiveWindow(writer: FrameWriter): ReceiveWindow {
  let unacknowledged = 0;

  function widen(bytes: number): void {
    const { target, at } = writer.frame(frameType.windowUpdate, 0, 0, 4);
    target.writeUInt32BE(bytes, at);
  }

  return {
    open: () => widen(WINDOW - DEFAULT_WINDOW),
    took(bytes) {
      unacknowledged += bytes;
      if (unacknowledged < WINDOW / 2) return;
      widen(unacknowledged);
      unacknowledged = 0;
    },
  };
}
