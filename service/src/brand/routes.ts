/** `GET /brand`, its logos, and `/operator/brand`. */
import { createHash } from 'node:crypto';
import { createAccentShades, type ThemeShades } from '@edge-account/sdk/accent';
import Type, { type Static } from 'typebox';
import type { Config } from '../config.ts';
import { type Database, transaction } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { IMMUTABLE_IMAGE_HEADERS, RASTER_TYPES } from '../lib/raster-image.ts';
import { SERVICE_NAME } from '../lib/service-name.ts';
import { type Brand, nameOf, readBrand } from './brand.ts';
import type { CurrentBrand } from './current-brand.ts';
import { toShownRecord } from './decorate-page.ts';
import { findLogo } from './logo-store.ts';
import { allowedAddresses, configuredSender } from './mail-sender.ts';
import { operations, publicOperations } from './operations.ts';
import { putBrand } from './put-brand.ts';
import { readOrder } from './read-order.ts';
import { BrandOrder, OperatorBrand, PublicBrand } from './schemas.ts';

/** Two logos in base64, and the texts with every character escaped. */
const BODY_LIMIT_BYTES = 256 * 1024;

export interface BrandDeps {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly brand: CurrentBrand;
}

const toShades = ({ filled, filledHover, onFilled }: ThemeShades) => ({
  filled,
  filled_hover: filledHover,
  on_filled: onFilled,
});

function toPublicBrand(brand: Brand): Static<typeof PublicBrand> {
  const { accent } = brand;
  const shades = accent === undefined ? undefined : createAccentShades(accent);
  return {
    name: nameOf(brand),
    ...(accent !== undefined && { accent }),
    ...toShownRecord(brand),
    ...(shades && { shades: { light: toShades(shades.light), dark: toShades(shades.dark) } }),
  };
}

function toOperatorBrand(brand: Brand, config: Config): Static<typeof OperatorBrand> {
  return {
    ...(brand.name !== undefined && { name: brand.name }),
    ...(brand.accent !== undefined && { accent: brand.accent }),
    ...toShownRecord(brand),
    mail_footer: brand.mailFooters,
    ...(brand.mailSenderName !== undefined && { mail_sender_name: brand.mailSenderName }),
    ...(brand.mailSenderAddress !== undefined && { mail_sender_address: brand.mailSenderAddress }),
    mail_sender_addresses: [...allowedAddresses(config)],
    default_name: SERVICE_NAME,
    default_mail_sender_name: configuredSender(config).name,
    ...(brand.updatedAt && { updated_at: brand.updatedAt.toISOString() }),
  };
}

function registerPublic(app: HttpServer, { database, brand }: BrandDeps): void {
  app.get(
    '/brand',
    {
      config: { access: 'open', handlesFailures: true },
      schema: {
        ...publicOperations.getBrand,
        response: { 200: PublicBrand, 304: Type.Null({ description: 'As the caller has it.' }) },
      },
    },
    async (request, reply) => {
      const record = toPublicBrand(brand.get());
      const hash = createHash('sha256').update(JSON.stringify(record)).digest('base64url');
      const etag = `"${hash}"`;
      reply.headers({ etag, 'cache-control': 'no-cache' });
      const known = (request.headers['if-none-match'] ?? '')
        .split(',')
        .map((tag) => tag.trim().replace(/^W\//, ''));
      if (known.includes(etag)) return reply.code(304).send(null);
      return record;
    },
  );
  const image = Object.fromEntries(
    RASTER_TYPES.map((type) => [type, { schema: Type.String({ contentMediaType: type }) }]),
  );
  app.get(
    '/brand/logos/:hash',
    {
      exposeHeadRoute: true,
      config: { access: 'open' },
      schema: {
        ...publicOperations.getBrandLogo,
        params: Type.Object({
          hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the image.' }),
        }),
        response: { 200: { description: 'PNG, JPEG or WebP.', content: image } },
      },
    },
    async ({ params: { hash } }, reply) => {
      const logo = await findLogo(database, hash);
      if (!logo) throw failure('not_found');
      return reply
        .type(logo.mediaType)
        .headers(IMMUTABLE_IMAGE_HEADERS)
        .send(logo.image as never);
    },
  );
}

export function registerBrand(app: HttpServer, deps: BrandDeps): void {
  const { config, database, clock, brand } = deps;
  registerPublic(app, deps);
  const access = { access: { scopes: ['operator:brand'] } } as const;
  app.get(
    '/operator/brand',
    {
      config: access,
      schema: { ...operations.getOperatorBrand, response: { 200: OperatorBrand } },
    },
    async () => toOperatorBrand(await readBrand(database), config),
  );
  app.put(
    '/operator/brand',
    {
      config: access,
      bodyLimit: BODY_LIMIT_BYTES,
      schema: {
        ...operations.putOperatorBrand,
        body: BrandOrder,
        response: { 200: OperatorBrand },
      },
    },
    async ({ body }) => {
      const change = readOrder(body, config);
      await transaction(database, (tx) => putBrand(tx, clock, change));
      return toOperatorBrand(await brand.refresh(), config);
    },
  );
}
