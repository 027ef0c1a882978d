// tier: unit
// People report requests that crawl, stall or fail at a server whose windows are used up or open by SETTINGS, or that
// refuses a stream: https://github.com/curl/curl/pull/11450, https://github.com/nghttp2/nghttp2/issues/1722,
// https://github.com/golang/go/issues/20985
import { describe, expect, it } from 'vitest';
import { flag, frameType, setting } from '../../engine/worker/http/protocol.ts';
import { accepted, type Mode, times, windowsOf } from '../worker/http/mode-peer.ts';
import { MESSAGES, playMode } from '../worker/http/play-mode.ts';
import {
  data,
  frame,
  headers,
  literal,
  reset,
  settings,
  status,
  windowUpdate,
} from '../worker/http/raw-peer.ts';
import { failureNames } from '../worker/post.ts';
import { pushTransports } from '../worker/support.ts';

const { maxConcurrentStreams, initialWindowSize, headerTableSize } = setting;
const ping = frame(frameType.ping, 0, 0, Buffer.alloc(8));
const padded = (id: number) =>
  frame(
    frameType.data,
    flag.padded | flag.endStream,
    id,
    Buffer.concat([Buffer.from([255]), Buffer.alloc(255)]),
  );
const open201 = (id: number): Buffer => headers(id, status(201), false);
const split = (id: number): Buffer[] => {
  const block = Buffer.concat([status(201), literal('x-request', 'a'.repeat(100))]);
  const parts = [...block].map((byte, at) =>
    frame(
      at === 0 ? frameType.headers : frameType.continuation,
      (at === 0 ? flag.endStream : 0) | (at === block.length - 1 ? flag.endHeaders : 0),
      id,
      Buffer.from([byte]),
    ),
  );
  return parts;
};

/** All of it is legal HTTP/2, of a peer that takes every message in the end. */
const legal: Readonly<Record<string, Mode>> = {
  'windows of one byte': { greeting: windowsOf(1) },
  'windows of 100 bytes': { greeting: windowsOf(100) },
  'windows of one byte, and three PINGs and SETTINGS with each': {
    greeting: windowsOf(1),
    atBody: (id, bytes) => [ping, windowUpdate(0, bytes), settings(), ping, windowUpdate(id, bytes)],
  },
  'windows of nothing, opened byte by byte': {
    greeting: windowsOf(0),
    atHeaders: (id) => [windowUpdate(id, 1)],
  },
  'windows that SETTINGS open': {
    greeting: windowsOf(0),
    atHeaders: (_, count) => [settings(initialWindowSize, 40 * count)],
    atBody: (_, bytes) => [windowUpdate(0, bytes)],
    answer: (id, count) => [accepted(id), settings(initialWindowSize, 100_000 + count)],
  },
  'a window of the connection that opens byte by byte': {
    atBody: (_, bytes) => times(bytes, windowUpdate(0, 1)),
  },
  '200 PINGs an answer': { answer: (id) => [...times(200, ping), accepted(id)] },
  '900 PINGs an answer': { answer: (id) => [...times(900, ping), accepted(id)] },
  '200 PINGs with each request, before any answer': { atHeaders: () => times(200, ping) },
  '50 empty frames an answer': {
    answer: (id) => [open201(id), ...times(50, data(id, '', false)), data(id, '')],
  },
  '500 empty frames an answer': {
    answer: (id) => [open201(id), ...times(500, data(id, '', false)), data(id, '')],
  },
  'answers of 400 bytes, each in a frame of its own': {
    answer: (id) => [open201(id), ...times(400, data(id, 'x', false)), data(id, '')],
  },
  'headers in parts of one byte': { answer: split },
  '100 interim answers': { answer: (id) => [...times(100, headers(id, status(103), false)), accepted(id)] },
  '100 SETTINGS an answer': {
    answer: (id, count) => [...times(100, settings(maxConcurrentStreams, 50 + (count % 50))), accepted(id)],
  },
  '100 windows of the connection an answer': {
    answer: (id) => [...times(100, windowUpdate(0, 1)), accepted(id)],
  },
  '100 priorities and unknown frames an answer': {
    answer: (id) => [...times(50, frame(2, 0, id, Buffer.alloc(5)), frame(0xfa, 0, id)), accepted(id)],
  },
  'padding and trailers': {
    answer: (id) =>
      id % 4 === 1
        ? [open201(id), padded(id)]
        : [open201(id), data(id, 'x', false), headers(id, literal('x', 'y'))],
  },
  'bytes one by one': { chunk: 1 },
  'tables of fields that come and go': {
    greeting: [settings(headerTableSize, 0)],
    answer: (id, count) => [settings(headerTableSize, count % 2 === 0 ? 0 : 4_096), accepted(id)],
  },
  'one stream at a time': { greeting: [settings(maxConcurrentStreams, 1)] },
  'each stream refused five times': { refuses: 5 },
  'a reset without an error after each answer': { answer: (id) => [accepted(id), reset(id, 0)] },
  'a goodbye after each answer': { greeting: [settings(maxConcurrentStreams, 10)], goodbyeAfter: 10 },
  'SETTINGS only after the first request': { greeting: null },
};

/** `node:http2` has rules of its own for what a peer may send at once, and ends the connection beyond them. */
const tooMuchForNode = /an answer|with each request|parts of one byte/;

describe.each(pushTransports)('the push client, %s, whose peer is legal, and unlike any', (pushTransport) => {
  it.each(Object.entries(legal))('delivers every message once: %s', async (name, mode) => {
    const { peer, answers } = await playMode(pushTransport, mode);
    const others = answers.filter(({ status: code }) => code !== 201);
    if (pushTransport === 'undici' && tooMuchForNode.test(name)) {
      expect(failureNames(others).filter((each) => each !== 'unknown' && each !== 'refused')).toEqual([]);
      return;
    }
    expect([...new Set(others.map(({ text }) => text))]).toEqual([]);
    expect(peer.taken.toSorted()).toEqual(
      Array.from({ length: MESSAGES }, (_, at) => `/push/${at}`).toSorted(),
    );
  });
});
