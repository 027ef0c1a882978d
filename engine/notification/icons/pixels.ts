import type { PixelSize } from '../images/pixel-size.ts';

/** A picture as it is shown before it is turned, and what its numbers mean. */
export interface Pixels extends PixelSize {
  /** Red, green, blue and opacity of each pixel, a byte each, row by row. */
  readonly data: Uint8Array;
  /** PNG chunks that go with the numbers: profiles of wide colours, gammas. Empty: sRGB. */
  readonly colours: readonly Buffer[];
  /** How it is to be turned, as Exif has it; 1: as it is. */
  readonly orientation: number;
}

/** Most pixels a side of an icon: some MB of text may claim gigabytes of pixels. */
export const MOST_ICON_SIDE = 4_096;

export type Unreadable = 'type' | 'cut' | 'absurd' | 'animated';
export type PixelsRead = { readonly kind: 'pixels'; readonly pixels: Pixels } | { readonly kind: Unreadable };

export const isAbsurd = ({ width, height }: PixelSize): boolean =>
  width < 1 || height < 1 || width > MOST_ICON_SIDE || height > MOST_ICON_SIDE;
