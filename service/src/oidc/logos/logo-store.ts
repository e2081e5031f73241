/** Stores logos beside their clients. */
import { type Db, queryNamed, type Transaction } from '../../db/index.ts';
import type { RasterImage } from '../../lib/raster-image.ts';

export const LOGO_PATH = '/oauth2/logos/';

/** Where this service serves a logo; relative, because its pages may have several origins. */
export const toLogoPath = (hash: string): string => LOGO_PATH + hash;

/** Replaces the logo of a client; null removes it. */
export async function putLogo(
  tx: Transaction,
  clientId: string,
  logo: RasterImage | null,
  now: Date,
): Promise<void> {
  if (logo === null) {
    await tx.query('delete from client_logo where client_id = $1', [clientId]);
    return;
  }
  await queryNamed(
    tx,
    `insert into client_logo (client_id, hash, media_type, image, fetched_at)
     values (:client_id, :hash, :media_type, :image, :now)
     on conflict (client_id) do update set hash = excluded.hash,
       media_type = excluded.media_type, image = excluded.image, fetched_at = excluded.fetched_at`,
    {
      client_id: clientId,
      hash: logo.hash,
      media_type: logo.mediaType,
      image: logo.image,
      now,
    },
  );
}

/** The image with this hash, while a client has it as its logo. */
export async function findLogo(
  db: Db,
  hash: string,
): Promise<Pick<RasterImage, 'mediaType' | 'image'> | undefined> {
  const { rows } = await queryNamed<{ media_type: RasterImage['mediaType']; image: Uint8Array }>(
    db,
    'select media_type, image from client_logo where hash = :hash limit 1',
    { hash },
  );
  const [row] = rows;
  return row && { mediaType: row.media_type, image: Buffer.from(row.image) };
}
