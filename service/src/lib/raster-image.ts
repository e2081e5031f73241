/** Images from outside that pages show: by content, whole, and of a size that a browser bears. */
import { createHash } from 'node:crypto';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { fieldError } from './failures.ts';

/** A small file can be an image that fills the memory of a browser. */
const SIDE_MAX_PX = 1024;

const hasEnd = (image: Buffer, end: string): boolean =>
  image.subarray(-end.length / 2).toString('hex') === end;

/**
 * By content: what a sender says of the type does not count. SVG can hold scripts and links.
 * `isWhole`: nothing is cut off, and nothing follows.
 */
const FORMATS = [
  {
    mediaType: 'image/png',
    format: PNG,
    // The chunk IEND, with its checksum.
    isWhole: (image: Buffer) => hasEnd(image, '0000000049454e44ae426082'),
  },
  { mediaType: 'image/jpeg', format: JPG, isWhole: (image: Buffer) => hasEnd(image, 'ffd9') },
  {
    mediaType: 'image/webp',
    format: WEBP,
    isWhole: (image: Buffer) => image.readUInt32LE(4) + 8 === image.length,
  },
] as const;

export const RASTER_TYPES = FORMATS.map(({ mediaType }) => mediaType);

export interface RasterImage {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly mediaType: (typeof FORMATS)[number]['mediaType'];
  readonly image: Buffer;
  /** In pixels, from 1 to 1024. */
  readonly width: number;
  readonly height: number;
}

/** What serves an image that never changes under its address. */
export const IMMUTABLE_IMAGE_HEADERS = {
  // The hash names the bytes, so they never change.
  'cache-control': 'public, max-age=31536000, immutable',
  // Opened by itself, it is a picture and nothing else.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'content-disposition': 'inline; filename="logo"',
} as const;

/** @throws `invalid_parameter` naming `field`: not an image of a known format and size */
export function readRasterImage(image: Buffer, field: string): RasterImage {
  const refuse = (code: string, message: string) => fieldError(field, code, message);
  try {
    const found = FORMATS.find(({ format }) => format.validate(image));
    if (!found) throw refuse('no_image', 'is not a PNG, JPEG or WebP image');
    if (!found.isWhole(image)) throw refuse('no_image', 'is not a whole image');
    const { width, height } = found.format.calculate(image);
    const isShown = [width, height].every((side) => side >= 1 && side <= SIDE_MAX_PX);
    if (!isShown) throw refuse('image_size', `must have 1 to ${SIDE_MAX_PX} pixels in a side`);
    const hash = createHash('sha256').update(image).digest('hex');
    return { hash, mediaType: found.mediaType, image, width, height };
  } catch (error) {
    // The parsers read beyond the end of what is cut off.
    if (error instanceof TypeError || error instanceof RangeError)
      throw refuse('no_image', 'is not a whole image');
    throw error;
  }
}
