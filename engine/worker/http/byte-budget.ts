/** Of a peer that is quiet otherwise. */
const MAX_SPARE_BYTES = 1_048_576;
/** A body that leaves in single bytes brings two windows, a PING and its SETTINGS for each of its 4,096. */
export const BYTES_PER_REQUEST = 262_144;
const MAX_PAYING = 100;

/**
 * As `calm.ts`, for a connection whose frames somebody else reads: by the bytes that came.
 * @returns whether more came than its requests pay for, all counted from the beginning of the connection.
 */
export function createByteBudget(): (bytesRead: number, requests: number) => boolean {
  let left = MAX_SPARE_BYTES;
  let before = { bytesRead: 0, requests: 0 };
  return function isOverdrawn(bytesRead, requests) {
    left += (requests - before.requests) * BYTES_PER_REQUEST;
    left = Math.min(left, MAX_SPARE_BYTES + MAX_PAYING * BYTES_PER_REQUEST);
    left -= bytesRead - before.bytesRead;
    before = { bytesRead, requests };
    return left < 0;
  };
}
