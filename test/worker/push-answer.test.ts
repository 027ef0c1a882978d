import { constants } from 'node:http2';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../engine/worker/push-answer.ts';

describe('what is known of a request without an answer', () => {
  const error = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

  it('is that it was refused, as long as nothing of it was written', () => {
    expect(failureOf(error('anything'), false)).toBe('refused');
  });

  it('is unknown afterwards, but for the words by which a peer denies having seen it', () => {
    expect(failureOf(error('other side closed', { code: 'UND_ERR_SOCKET' }), true)).toBe('unknown');
    expect(failureOf(error('reset', { http2ErrorCode: constants.NGHTTP2_CANCEL }), true)).toBe('unknown');
    expect(failureOf(error('reset', { http2ErrorCode: constants.NGHTTP2_REFUSED_STREAM }), true)).toBe(
      'refused',
    );
    expect(failureOf(error('HTTP/2: "GOAWAY" frame received with code 0'), true)).toBe('refused');
    expect(failureOf(error('HTTP/2: "frameError" received - type 1, code -521'), true)).toBe('refused');
    expect(failureOf(error('HTTP/2: "frameError" received - type 0, code 2'), true)).toBe('unknown');
  });
});
