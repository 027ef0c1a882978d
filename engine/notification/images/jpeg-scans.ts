import { DHT, DRI, isFrame, type JpegParts, type Segment, SOF2, SOS } from './jpeg.ts';
import { type Codes, Cut, codesOf } from './jpeg-bits.ts';
import { type Frame, readBlocks, type ScanCodes } from './jpeg-blocks.ts';

/** Encoders write about ten, and each may be of all blocks: a thousand would hold up everybody's pictures. */
const MOST_SCANS = 64;

/**
 * Whether all coded data is there: each block of each scan is read to its end. No pixel is computed. ITU-T T.81,
 * annexes F (sequential) and G (progressive).
 */
export function hasAllBlocks({ segments, size }: JpegParts): boolean {
  const codes = new Map<number, Codes>();
  let frame: Frame | null = null;
  let interval = 0;
  if (segments.filter(({ marker }) => marker === SOS).length > MOST_SCANS) return false;
  try {
    for (const segment of segments) {
      if (segment.marker === DHT && !readTables(segment.data, codes)) return false;
      if (segment.marker === DRI) interval = segment.data.readUInt16BE(0);
      if (isFrame(segment.marker)) {
        if (frame !== null) return false;
        frame = readFrame(segment, size.width, size.height);
      }
      if (segment.marker === SOS && (frame === null || !readScan(segment, frame, codes, interval)))
        return false;
    }
  } catch (error) {
    if (error instanceof Cut || error instanceof RangeError) return false;
    throw error;
  }
  return frame?.components.every(({ open }) => open.size === 0) ?? false;
}

/** By class and number: 0x00 to 0x03 of mean values (DC), 0x10 to 0x13 of the others (AC). */
function readTables(data: Buffer, codes: Map<number, Codes>): boolean {
  const COUNTS = 16;
  let at = 0;
  while (at + 1 + COUNTS <= data.length) {
    const counts = data.subarray(at + 1, at + 1 + COUNTS);
    const symbols = counts.reduce((sum, count) => sum + count, 0);
    const end = at + 1 + COUNTS + symbols;
    const table = end > data.length ? null : codesOf(counts, data.subarray(at + 1 + COUNTS, end));
    if (table === null) return false;
    codes.set(data[at] ?? 0, table);
    at = end;
  }
  return at === data.length;
}

const MOST_COMPONENTS = 4;
const MOST_SAMPLES = 4;

function readFrame({ marker, data }: Segment, width: number, height: number): Frame | null {
  const [depth, count = 0] = [data[0], data[5]];
  if (depth !== 8 || count < 1 || count > MOST_COMPONENTS || data.length < 6 + 3 * count) return null;
  const given = Array.from({ length: count }, (_, n) => {
    const [id = 0, samples = 0] = data.subarray(6 + 3 * n);
    return { id, across: samples >> 4, down: samples & 15 };
  });
  if (given.some(({ across, down }) => !isSampled(across) || !isSampled(down))) return null;
  const [most, deep] = [
    Math.max(...given.map((each) => each.across)),
    Math.max(...given.map((each) => each.down)),
  ];
  const [groupsAcross, groupsDown] = [Math.ceil(width / (8 * most)), Math.ceil(height / (8 * deep))];
  const progressive = marker === SOF2;
  const components = given.map(({ id, across, down }) => ({
    ...{ id, across, down, stride: groupsAcross * across, open: new Set(Array(64).keys()) },
    blocksAcross: Math.ceil((width * across) / (8 * most)),
    blocksDown: Math.ceil((height * down) / (8 * deep)),
    known: progressive ? new Uint32Array(2 * groupsAcross * across * groupsDown * down) : null,
  }));
  return { progressive, components, groupsAcross, groupsDown };
}

const isSampled = (samples: number): boolean => samples >= 1 && samples <= MOST_SAMPLES;

function readScan(
  { data, coded }: Segment,
  frame: Frame,
  codes: ReadonlyMap<number, Codes>,
  interval: number,
): boolean {
  const count = data[0] ?? 0;
  if (count < 1 || count > frame.components.length || data.length !== 4 + 2 * count) return false;
  const [from = 0, to = 0, steps = 0] = data.subarray(1 + 2 * count);
  const parts: ScanCodes[] = [];
  for (let n = 0; n < count; n++) {
    const [id, tables = 0] = data.subarray(1 + 2 * n);
    const component = frame.components.find((each) => each.id === id);
    if (component === undefined) return false;
    parts.push({ component, mean: codes.get(tables >> 4), others: codes.get(0x10 | (tables & 15)) });
  }
  const spectrum = frame.progressive
    ? { from, to, refines: steps >> 4 > 0 }
    : { from: 0, to: 63, refines: false };
  // A scan of other coefficients than the mean is of one component (T.81, G.1.1.1.1).
  if (to > 63 || from > to || (frame.progressive && (from === 0 ? to !== 0 : count !== 1))) return false;
  readBlocks(coded, frame, parts, spectrum, interval);
  if (frame.progressive && (steps & 15) > 0) return true;
  for (const { component } of parts)
    for (let k = spectrum.from; k <= spectrum.to; k++) component.open.delete(k);
  return true;
}
