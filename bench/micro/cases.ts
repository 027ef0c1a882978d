import { randomBytes } from 'node:crypto';
import {
  BLOCK_SIZE,
  countBits,
  emptyBitmap,
  inAtLeast,
  setBit,
  without,
} from '../../engine/contract/bitmap.ts';
import { outcomeCode } from '../../engine/contract/outcome.ts';
import {
  type BlockOutcomes,
  packBlockOutcomes,
  unpackBlockOutcomes,
} from '../../engine/contract/packed-outcomes.ts';
import { classifyStatus } from '../../engine/worker/classify.ts';
import { type BackendName, openBackend } from '../../engine/worker/encryption/backends.ts';
import { createTargetCursor } from '../../engine/worker/targets.ts';
import { createAuthorize } from '../../engine/worker/vapid.ts';
import { copyOf, everyBit, makeRows, makeVapid } from '../../test/worker/support.ts';
import { makeBrowsers } from '../encryption/work.ts';
import type { Case } from './measure.ts';

/** As many as send-block encrypts between two turns of the event loop. */
const BATCH = 16;
const PLAINTEXT_BYTES = 400;

/** @param skipped called for a backend that this machine does not offer. */
export function listCases(cryptoMbLibrary: string | null, skipped: (reason: string) => void): Case[] {
  return [
    ...encryptionCases(cryptoMbLibrary, skipped),
    ...vapidCases(),
    ...blockCases(),
    ...outcomeCases(),
    ...bitmapCases(),
  ];
}

function encryptionCases(cryptoMbLibrary: string | null, skipped: (reason: string) => void): Case[] {
  const plaintext = randomBytes(PLAINTEXT_BYTES);
  const browsers = makeBrowsers(BATCH);
  const caseOf = (name: BackendName): Case[] => {
    try {
      const { encryptBatch } = openBackend(name, { cryptoMbLibrary });
      const run = () => encryptBatch(plaintext, browsers);
      return [{ group: 'encryption', name, unit: 'message', units: BATCH, run }];
    } catch (error) {
      skipped(`${name} is left out: ${(error as Error).message}`);
      return [];
    }
  };
  return (['node', 'openssl', 'multibuffer'] as const).flatMap(caseOf);
}

function vapidCases(): Case[] {
  const identity = makeVapid();
  const [cold, cached] = [createAuthorize(Date.now), createAuthorize(Date.now)];
  let site = 0;
  const each = { group: 'VAPID', unit: 'token', units: 1 };
  return [
    { ...each, name: 'cold', run: () => cold(identity, `https://push-${site++}.example`) },
    { ...each, name: 'cached', run: () => cached(identity, 'https://push.example') },
  ];
}

function blockCases(): Case[] {
  const targets = copyOf(makeRows('https://push.example', BLOCK_SIZE));
  const wanted = everyBit();
  const decode = () => {
    const cursor = createTargetCursor(targets, wanted);
    let bytes = 0;
    while (cursor.next()) bytes += cursor.endpoint().length + cursor.p256dh().length + cursor.auth().length;
    return bytes;
  };
  const statuses = [201, 201, 201, 410, 429, 500];
  const classify = () => statuses.map((status) => classifyStatus(status, 'fcm'));
  return [
    { group: 'block', name: 'decoding', unit: 'target', units: BLOCK_SIZE, run: decode },
    { group: 'block', name: 'classification', unit: 'answer', units: statuses.length, run: classify },
  ];
}

function outcomeCases(): Case[] {
  const block = makeOutcomes();
  const packed = packBlockOutcomes(block);
  const each = { group: 'outcomes', unit: 'outcome', units: BLOCK_SIZE };
  return [
    { ...each, name: 'encoding', run: () => packBlockOutcomes(block) },
    { ...each, name: 'decoding', run: () => unpackBlockOutcomes(packed) },
  ];
}

function makeOutcomes(): BlockOutcomes {
  const codes = [outcomeCode.accepted, outcomeCode.accepted, outcomeCode.accepted, outcomeCode.gone];
  return {
    ...{ appId: 1, deliveryId: 2, block: 0, attempt: 1, atMs: Date.now() },
    seqs: Uint32Array.from({ length: BLOCK_SIZE }, (_, seq) => seq),
    outcomes: Uint8Array.from({ length: BLOCK_SIZE }, (_, seq) => codes[seq % codes.length] ?? 0),
    failures: new Uint8Array(BLOCK_SIZE),
    statuses: new Uint16Array(BLOCK_SIZE).fill(201),
    services: new Uint8Array(BLOCK_SIZE),
    latenciesMs: Uint16Array.from({ length: BLOCK_SIZE }, (_, seq) => seq),
  };
}

function bitmapCases(): Case[] {
  const maps = Array.from({ length: 5 }, (_, of) => {
    const map = emptyBitmap();
    for (let seq = of; seq < BLOCK_SIZE; seq += of + 2) setBit(map, seq);
    return map;
  });
  const [a = emptyBitmap(), b = emptyBitmap()] = maps;
  const each = { group: 'bitmaps', unit: 'block', units: 1 };
  return [
    { ...each, name: 'counting', run: () => countBits(a) },
    { ...each, name: 'difference', run: () => without(a, b) },
    { ...each, name: 'frequency cap over 5 deliveries', run: () => inAtLeast(maps, 3) },
  ];
}
