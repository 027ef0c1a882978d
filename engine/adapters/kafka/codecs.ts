import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import kafkajs from 'kafkajs';
import type { Compression } from '../../contract/settings/kafka-settings.ts';

const { CompressionCodecs, CompressionTypes } = kafkajs;

export const compressionTypes: Readonly<Record<Compression, number>> = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  zstd: CompressionTypes.ZSTD,
};

/** What a fetch holds is a few MB: more than this in one batch is not a message of ours or of an ad server. */
const MAX_BATCH_BYTES = 67_108_864;
/** Batches of events and outcomes become as small as at the library's own 3, in half the time. */
const LEVEL = 1;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** `kafkajs` asks per batch. Node has the codec, so every process reads it, whatever it is set to write. */
export function addCodecs(): void {
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: ({ buffer }: { readonly buffer: Buffer }) =>
      compress(buffer, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }),
    decompress: (buffer: Buffer) => decompress(buffer, { maxOutputLength: MAX_BATCH_BYTES }),
  });
}
