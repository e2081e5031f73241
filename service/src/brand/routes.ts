/** `GET /brand`, its logos, and `/operator/brand`. */
import { createAccentShades, type ThemeShades } from '@edge-account/sdk/accent';
import Type, { type Static } from 'typebox';
import type { Config } from '../config.ts';
import { type Database, transaction } from '../db/index.ts';
import {
  entityTagOf,
  type HttpServer,
  IfMatchHeaders,
  isExpected,
  isKnown,
  TaggedAnswer,
} from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { IMMUTABLE_IMAGE_HEADERS, RASTER_TYPES } from '../lib/raster-image.ts';
import { SERVICE_NAME } from '../lib/service-name.ts';
import { type Brand, nameOf, readBrand } from './brand.ts';
import type { CurrentBrand } from './current-brand.ts';
import { toShownRecord } from './decorate-page.ts';
import { findLogo } from './logo-store.ts';
import { allowedAddresses, configuredSender } from './mail-sender.ts';
import { registerManifest } from './manifest.ts';
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
      const etag = entityTagOf(record);
      reply.headers({ etag, 'cache-control': 'no-cache' });
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send(null);
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
  registerManifest(app, brand);
  const access = { access: { scopes: ['operator:brand'] } } as const;
  const answer = TaggedAnswer(OperatorBrand);
  app.get(
    '/operator/brand',
    { config: access, schema: { ...operations.getOperatorBrand, response: { 200: answer } } },
    async (_request, reply) => {
      const record = toOperatorBrand(await readBrand(database), config);
      reply.header('etag', entityTagOf(record));
      return record;
    },
  );
  app.put(
    '/operator/brand',
    {
      config: access,
      bodyLimit: BODY_LIMIT_BYTES,
      schema: {
        ...operations.putOperatorBrand,
        headers: IfMatchHeaders,
        body: BrandOrder,
        response: { 200: answer },
      },
    },
    async ({ body, headers }, reply) => {
      const change = readOrder(body, config);
      const isAsRead = (before: Brand): boolean =>
        isExpected(headers['if-match'], entityTagOf(toOperatorBrand(before, config)));
      const saved = await transaction(database, (tx) => putBrand(tx, clock, change, isAsRead));
      // Of this change, also where another one has followed it already.
      const record = toOperatorBrand(saved, config);
      await brand.refresh();
      reply.header('etag', entityTagOf(record));
      return record;
    },
  );
}
