import { BitReader, type Codes, Cut } from './jpeg-bits.ts';

export interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  /** Blocks of 8 × 8 that show something of the picture. */
  readonly blocksAcross: number;
  readonly blocksDown: number;
  /** Blocks to the next row, with those that fill up the last group of blocks. */
  readonly stride: number;
  /** Progressive: which of a block's coefficients are not 0, as two times 32 bits a block. */
  readonly known: Uint32Array | null;
  /** Coefficients whose last bit no scan has brought: a progressive picture that is cut between scans is blurred. */
  readonly open: Set<number>;
}

export interface Frame {
  readonly progressive: boolean;
  readonly components: readonly Component[];
  readonly groupsAcross: number;
  readonly groupsDown: number;
}

export interface ScanCodes {
  readonly component: Component;
  readonly mean: Codes | undefined;
  readonly others: Codes | undefined;
}

/** Which coefficients a scan brings, and whether it brings another bit of them. */
export interface Spectrum {
  readonly from: number;
  readonly to: number;
  readonly refines: boolean;
}

type ReadBlock = (part: ScanCodes, block: number) => void;

/** Reads each block of a scan, in the order in which they are coded (ITU-T T.81, A.2). @throws Cut where one is not there. */
export function readBlocks(
  coded: Buffer,
  frame: Frame,
  parts: readonly ScanCodes[],
  spectrum: Spectrum,
  interval: number,
): void {
  const bits = new BitReader(coded);
  const run = { left: 0 };
  const read = blockReader(bits, frame.progressive, spectrum, run);
  let before = 0;
  function group(): void {
    if (interval > 0 && before > 0 && before % interval === 0) {
      bits.restart();
      run.left = 0;
    }
    before++;
  }
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    const { blocksAcross, blocksDown, stride } = only.component;
    for (let row = 0; row < blocksDown; row++)
      for (let column = 0; column < blocksAcross; column++) {
        group();
        read(only, row * stride + column);
      }
    return;
  }
  for (let row = 0; row < frame.groupsDown; row++)
    for (let column = 0; column < frame.groupsAcross; column++) {
      group();
      for (const part of parts) readGroup(part, row, column, read);
    }
}

function readGroup(part: ScanCodes, row: number, column: number, read: ReadBlock): void {
  const { across, down, stride } = part.component;
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) read(part, (row * down + y) * stride + column * across + x);
}

function blockReader(
  bits: BitReader,
  progressive: boolean,
  { from, to, refines }: Spectrum,
  run: { left: number },
): ReadBlock {
  if (!progressive)
    return (part) => {
      bits.bits(bits.symbol(codesOrCut(part.mean)) & 15);
      readOthers(bits, codesOrCut(part.others));
    };
  if (from === 0 && refines) return () => void bits.bits(1);
  if (from === 0) return (part) => void bits.bits(bits.symbol(codesOrCut(part.mean)) & 15);
  return (part, block) => {
    const known = { of: part.component.known ?? new Uint32Array(), at: 2 * block };
    const read = refines ? refineBand : readBand;
    read(bits, codesOrCut(part.others), { from, to, known, run });
  };
}

function codesOrCut(codes: Codes | undefined): Codes {
  if (codes === undefined) throw new Cut();
  return codes;
}

const LAST = 63;
/** A symbol of a run of zeros and no value behind it. */
const SIXTEEN = 15;

/** T.81, F.2.2.2. */
function readOthers(bits: BitReader, codes: Codes): void {
  for (let k = 1; k <= LAST; k++) {
    const symbol = bits.symbol(codes);
    const [zeros, size] = [symbol >> 4, symbol & 15];
    if (size === 0 && zeros !== SIXTEEN) return;
    k += zeros;
    if (k > LAST) throw new Cut();
    if (size > 0) bits.bits(size);
  }
}

interface Band {
  readonly from: number;
  readonly to: number;
  readonly known: { readonly of: Uint32Array; readonly at: number };
  /** Blocks without a coefficient that are still to come. */
  readonly run: { left: number };
}

const isKnown = ({ of, at }: Band['known'], k: number): boolean =>
  (((of[at + (k >> 5)] ?? 0) >>> (k & 31)) & 1) === 1;
function note({ of, at }: Band['known'], k: number): void {
  of[at + (k >> 5)] = (of[at + (k >> 5)] ?? 0) | (1 << (k & 31));
}

const runOf = (bits: BitReader, zeros: number): number => (1 << zeros) + (zeros > 0 ? bits.bits(zeros) : 0);

/** T.81, G.1.2.2. */
function readBand(bits: BitReader, codes: Codes, { from, to, known, run }: Band): void {
  if (run.left > 0) {
    run.left--;
    return;
  }
  for (let k = from; k <= to; k++) {
    const symbol = bits.symbol(codes);
    const [zeros, size] = [symbol >> 4, symbol & 15];
    if (size === 0 && zeros !== SIXTEEN) {
      run.left = runOf(bits, zeros) - 1;
      return;
    }
    k += zeros;
    if (k > to) throw new Cut();
    if (size === 0) continue;
    bits.bits(size);
    note(known, k);
  }
}

/** T.81, G.1.2.3: a bit for each coefficient that is known, and among them those that are new. */
function refineBand(bits: BitReader, codes: Codes, { from, to, known, run }: Band): void {
  let k = from;
  for (; run.left === 0 && k <= to; k++) {
    const symbol = bits.symbol(codes);
    let zeros = symbol >> 4;
    const isNew = (symbol & 15) > 0;
    if (!isNew && zeros !== SIXTEEN) {
      run.left = runOf(bits, zeros);
      break;
    }
    if (isNew) bits.bits(1);
    for (; k <= to; k++) {
      if (isKnown(known, k)) bits.bits(1);
      else if (zeros-- === 0) break;
    }
    if (isNew && k > to) throw new Cut();
    if (isNew) note(known, k);
  }
  if (run.left === 0) return;
  for (; k <= to; k++) if (isKnown(known, k)) bits.bits(1);
  run.left--;
}
