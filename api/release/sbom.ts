import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';

const MAX_BYTES = 64 * 1_024 ** 2;

/**
 * The bill of materials of a folder with a manifest and a lock, as CycloneDX JSON. npm writes a random number and the time
 * into it: here the number comes from the content, so that the same sources have the same bill.
 * @param at the time it bears.
 */
export async function billOfMaterials(folder: string, at: Date): Promise<string> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: MAX_BYTES });
  const { serialNumber: _random, ...bill } = JSON.parse(stdout) as {
    readonly serialNumber: string;
    readonly metadata: object;
  };
  const dated = { ...bill, metadata: { ...bill.metadata, timestamp: at.toISOString() } };
  return `${JSON.stringify({ serialNumber: `urn:uuid:${uuidOf(JSON.stringify(dated))}`, ...dated }, null, 2)}\n`;
}

/** A UUID of version 8 (RFC 9562): of a hash of our own choice. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
