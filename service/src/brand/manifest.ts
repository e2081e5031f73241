/**
 * The web app manifest (W3C): by it browsers install the console as an app, and an iPhone gives
 * Web Push to installed ones only.
 */
import { entityTagOf, type HttpServer, isKnown } from '../http/index.ts';
import { type Brand, type BrandLogo, nameOf } from './brand.ts';
import type { CurrentBrand } from './current-brand.ts';
import { toLogoPath } from './logo-store.ts';

/** Browsers ask for 144 pixels or more, Android shows 192. */
const ICON_SIDE_MIN = 192;
/** What has room below an icon. */
const SHORT_NAME_MAX = 12;
/** The ground of light pages: what a system shows until the page is there. */
const GROUND = '#f6f6f2';

/** Of the mark of the service: `npm run app-icons` draws them. */
const OWN_ICONS = [
  { side: 192, path: '/assets/app-icon-192-a2efe81e.png', purpose: 'any' },
  { side: 512, path: '/assets/app-icon-512-325725c8.png', purpose: 'any' },
  { side: 512, path: '/assets/app-icon-maskable-512-1c111d1c.png', purpose: 'maskable' },
] as const;

interface Icon {
  readonly src: string;
  readonly sizes: string;
  readonly type: string;
  readonly purpose: string;
}

/** The logo, where it can be the icon of an app: square, not too small, and no JPEG. */
export function appIconOf({ logo }: Brand): BrandLogo | undefined {
  const isFit =
    logo !== undefined &&
    logo.width === logo.height &&
    logo.width >= ICON_SIDE_MIN &&
    logo.mediaType !== 'image/jpeg';
  return isFit ? logo : undefined;
}

function iconsOf(brand: Brand): Icon[] {
  const logo = appIconOf(brand);
  if (logo)
    return [
      {
        src: toLogoPath(logo.hash),
        sizes: `${logo.width}x${logo.height}`,
        type: logo.mediaType,
        purpose: 'any',
      },
    ];
  return OWN_ICONS.map(({ side, path, purpose }) => ({
    ...{ src: path, sizes: `${side}x${side}` },
    ...{ type: 'image/png', purpose },
  }));
}

/** The first words that fit; systems cut what is still too long. */
function shortNameOf(name: string): string {
  const [first = '', ...others] = name.split(' ');
  let short = first;
  for (const word of others) {
    if (`${short} ${word}`.length > SHORT_NAME_MAX) break;
    short = `${short} ${word}`;
  }
  return short;
}

export function toManifest(brand: Brand) {
  const name = nameOf(brand);
  return {
    id: '/',
    name,
    short_name: shortNameOf(name),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: GROUND,
    background_color: GROUND,
    icons: iconsOf(brand),
  };
}

export function registerManifest(app: HttpServer, brand: CurrentBrand): void {
  app.get(
    '/manifest.webmanifest',
    {
      exposeHeadRoute: true,
      logLevel: 'warn',
      config: { access: 'open', handlesFailures: true },
      // A file of the console, and no part of the API.
      schema: { hide: true },
    },
    async (request, reply) => {
      const manifest = toManifest(brand.get());
      const etag = entityTagOf(manifest);
      reply.headers({ etag, 'cache-control': 'no-cache' });
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type('application/manifest+json; charset=utf-8').send(manifest);
    },
  );
}
