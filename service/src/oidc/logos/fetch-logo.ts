/** Fetches the logo of an application, once, from the address that it named. */
import { type Outgoing, OutgoingError } from '../../http/index.ts';
import { fieldError } from '../../lib/failures.ts';
import { type RasterImage, readRasterImage } from '../../lib/raster-image.ts';

const refuse = (code: string, message: string) => fieldError('logo_uri', code, message);

/** @throws `invalid_parameter` naming `logo_uri` */
async function fetchLogo(outgoing: Outgoing, uri: string): Promise<RasterImage> {
  const headers = { accept: 'image/png, image/jpeg, image/webp' };
  try {
    const { status, body } = await outgoing.send({ method: 'GET', url: uri, headers });
    if (status !== 200) throw refuse('not_answered', `answered ${status}`);
    return readRasterImage(body, 'logo_uri');
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
): Promise<{ readonly logo?: RasterImage | null }> {
  if (logo_uri === undefined) return {};
  return { logo: logo_uri === '' ? null : await fetchLogo(outgoing, logo_uri) };
}
