/** `GET /oauth2/logos/{hash}`. */
import Type from 'typebox';
import type { Db } from '../../db/index.ts';
import type { HttpServer } from '../../http/index.ts';
import { failure } from '../../lib/failures.ts';
import { IMMUTABLE_IMAGE_HEADERS, RASTER_TYPES } from '../../lib/raster-image.ts';
import { operations } from '../operations.ts';
import { findLogo, LOGO_PATH } from './logo-store.ts';

const params = Type.Object({
  hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the image.' }),
});
const content = Object.fromEntries(
  RASTER_TYPES.map((type) => [type, { schema: Type.String({ contentMediaType: type }) }]),
);

export function registerLogos(app: HttpServer, db: Db): void {
  app.get(
    `${LOGO_PATH}:hash`,
    {
      exposeHeadRoute: true,
      config: { access: 'open' },
      schema: {
        ...operations.getLogo,
        params,
        response: { 200: { description: 'PNG, JPEG or WebP.', content } },
      },
    },
    async ({ params: { hash } }, reply) => {
      const logo = await findLogo(db, hash);
      if (!logo) throw failure('not_found');
      return reply
        .type(logo.mediaType)
        .headers(IMMUTABLE_IMAGE_HEADERS)
        .send(logo.image as never);
    },
  );
}
