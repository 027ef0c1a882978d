import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes on the disk that no other process can open, and that are gone when it is closed or the process dies. */
export interface SpoolFile {
  /** @returns where they begin. */
  append(bytes: Buffer): Promise<number>;
  read(at: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export async function openSpoolFile(folder: string): Promise<SpoolFile> {
  const path = join(folder, `broadside-report-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  // Without a name: a process that is killed leaves nothing behind.
  await unlink(path);
  let end = 0;
  return {
    append: async (bytes) => {
      const at = end;
      for (let written = 0; written < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written);
        written += bytesWritten;
      }
      end = at + bytes.length;
      return at;
    },
    read: async (at, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead !== length) throw new Error(`the spool has ${bytesRead} of ${length} bytes`);
      return buffer;
    },
    close: () => file.close(),
  };
}
