import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';

export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

/**
 * The operator's certificate, read again when its file has changed: certificates are renewed while a process runs.
 * @throws Error where it cannot be read at the start; later the one before stays.
 */
export function createTlsContext(files: TlsFiles, onProblem: (error: unknown) => void): () => SecureContext {
  const changedAt = (): number => statSync(files.certificate).mtimeMs;
  const read = (): SecureContext =>
    createSecureContext({
      cert: readFileSync(files.certificate),
      key: readFileSync(files.key),
      minVersion: 'TLSv1.2',
    });
  let readAt = changedAt();
  let context = read();
  return () => {
    try {
      const now = changedAt();
      if (now !== readAt) {
        context = read();
        readAt = now;
      }
    } catch (error) {
      onProblem(error);
    }
    return context;
  };
}
