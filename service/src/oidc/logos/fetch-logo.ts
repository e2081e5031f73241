/** Fetches the logo of an application, once, from the address that it named. */
import { createHash } from 'node:crypto';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { type Outgoing, OutgoingError } from '../../http/index.ts';
import { fieldError } from '../../lib/failures.ts';

/** A small file can be an image that fills the memory of a browser. */
const SIDE_MAX_PX = 1024;

const hasEnd = (image: Buffer, end: string): boolean =>
  image.subarray(-end.length / 2).toString('hex') === end;

/**
 * By content: what a server says of its type does not count. SVG can hold scripts and links.
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

export const LOGO_TYPES = FORMATS.map(({ mediaType }) => mediaType);

export interface Logo {
  readonly hash: string;
  readonly mediaType: (typeof FORMATS)[number]['mediaType'];
  readonly image: Buffer;
}

const refuse = (code: string, message: string) => fieldError('logo_uri', code, message);

/** @throws `invalid_parameter` for what is not an image of a known format and size */
function readLogo(image: Buffer): Logo {
  try {
    const found = FORMATS.find(({ format }) => format.validate(image));
    if (!found) throw refuse('no_image', 'is not a PNG, JPEG or WebP image');
    if (!found.isWhole(image)) throw refuse('no_image', 'is not a whole image');
    const { width, height } = found.format.calculate(image);
    const isShown = [width, height].every((side) => side >= 1 && side <= SIDE_MAX_PX);
    if (!isShown) throw refuse('image_size', `must have 1 to ${SIDE_MAX_PX} pixels in a side`);
    const hash = createHash('sha256').update(image).digest('hex');
    return { hash, mediaType: found.mediaType, image };
  } catch (error) {
    // The parsers read beyond the end of what is cut off.
    if (error instanceof TypeError || error instanceof RangeError)
      throw refuse('no_image', 'is not a whole image');
    throw error;
  }
}

/** @throws `invalid_parameter` naming `logo_uri` */
async function fetchLogo(outgoing: Outgoing, uri: string): Promise<Logo> {
  const headers = { accept: 'image/png, image/jpeg, image/webp' };
  try {
    const { status, body } = await outgoing.send({ method: 'GET', url: uri, headers });
    if (status !== 200) throw refuse('not_answered', `answered ${status}`);
    return readLogo(body);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw refuse(error.problem, error.message);
  }
}

/**
 * The logo that metadata names: undefined where it names none, null where it removes the logo.
 * @throws `invalid_parameter` naming `logo_uri`
 */
export async function readNamedLogo(
  outgoing: Outgoing,
  { logo_uri }: { readonly logo_uri?: string },
): Promise<{ readonly logo?: Logo | null }> {
  if (logo_uri === undefined) return {};
  return { logo: logo_uri === '' ? null : await fetchLogo(outgoing, logo_uri) };
}
