/** Images of the brand. */
import { type Db, queryNamed, type Transaction } from '../db/index.ts';
import type { RasterImage } from '../lib/raster-image.ts';

const LOGO_PATH = '/brand/logos/';

/** Where this service serves a logo; relative, because its pages may have several origins. */
export const toLogoPath = (hash: string): string => LOGO_PATH + hash;

export async function storeLogo(tx: Transaction, logo: RasterImage): Promise<void> {
  await queryNamed(
    tx,
    `insert into brand_logo (hash, media_type, image, width, height)
     values (:hash, :media_type, :image, :width, :height) on conflict (hash) do nothing`,
    {
      hash: logo.hash,
      media_type: logo.mediaType,
      image: logo.image,
      width: logo.width,
      height: logo.height,
    },
  );
}

/** Deletes the images that the brand no longer has. */
export async function deleteOldLogos(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from brand_logo l
     where not exists (select from brand b where l.hash in (b.logo_hash, b.dark_logo_hash))`,
  );
}

/** The image with this hash, while the brand has it. */
export async function findLogo(
  db: Db,
  hash: string,
): Promise<Pick<RasterImage, 'mediaType' | 'image'> | undefined> {
  const { rows } = await queryNamed<{
    media_type: RasterImage['mediaType'];
    image: Uint8Array;
  }>(db, 'select media_type, image from brand_logo where hash = :hash', { hash });
  const [row] = rows;
  return row && { mediaType: row.media_type, image: Buffer.from(row.image) };
}
