/** Replaces the brand. */
import { isDeepStrictEqual } from 'node:util';
import { ADVISORY_LOCKS, announce, queryNamed, type Transaction, takeLock } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, fieldError } from '../lib/failures.ts';
import type { RasterImage } from '../lib/raster-image.ts';
import { type Brand, type BrandLogo, readBrand } from './brand.ts';
import { BRAND_CHANGED } from './current-brand.ts';
import { deleteOldLogos, storeLogo } from './logo-store.ts';

/** What becomes of a logo; undefined: it stays. */
export type LogoChange = RasterImage | null | undefined;

export interface BrandChange extends Omit<Brand, 'logo' | 'darkLogo' | 'updatedAt'> {
  readonly logo: LogoChange;
  readonly darkLogo: LogoChange;
}

const PUT = `insert into brand (name, accent, logo_hash, dark_logo_hash, support_url, sign_in_texts,
     mail_footers, mail_sender_name, mail_sender_address, updated_at)
   values (:name, :accent, :logo_hash, :dark_logo_hash, :support_url, :sign_in_texts,
     :mail_footers, :mail_sender_name, :mail_sender_address, :now)
   on conflict (is_only) do update set name = excluded.name, accent = excluded.accent,
     logo_hash = case when :keeps_logo::boolean then brand.logo_hash else excluded.logo_hash end,
     dark_logo_hash = case when :keeps_dark_logo::boolean then brand.dark_logo_hash
       else excluded.dark_logo_hash end,
     support_url = excluded.support_url, sign_in_texts = excluded.sign_in_texts,
     mail_footers = excluded.mail_footers, mail_sender_name = excluded.mail_sender_name,
     mail_sender_address = excluded.mail_sender_address, updated_at = excluded.updated_at`;

const isStored = (change: LogoChange, logo: BrandLogo | undefined): boolean =>
  change === undefined || (change?.hash ?? null) === (logo?.hash ?? null);

/** The change has been made already: its first answer was lost, for example. */
function isDone({ logo, darkLogo, ...change }: BrandChange, stored: Brand): boolean {
  const { logo: storedLogo, darkLogo: storedDarkLogo, updatedAt: _, ...fields } = stored;
  return (
    isDeepStrictEqual(change, fields) &&
    isStored(logo, storedLogo) &&
    isStored(darkLogo, storedDarkLogo)
  );
}

/**
 * Stores the whole brand, but a logo that is not named stays. Safe to run twice.
 * @param isExpected told the brand that is replaced
 * @returns the brand as it is stored
 * @throws `precondition_failed`, `invalid_parameter` for a logo of dark pages alone
 */
export async function putBrand(
  tx: Transaction,
  clock: Clock,
  change: BrandChange,
  isExpected: (before: Brand) => boolean = () => true,
): Promise<Brand> {
  const { logo, darkLogo } = change;
  // Before anything else: changes of the brand wait for each other, so that none deletes the
  // image that another one keeps, or replaces a brand that its operator has not seen.
  await takeLock(tx, ADVISORY_LOCKS.brand);
  // Instances of an earlier version take this lock alone.
  await tx.query('select from brand for update');
  const before = await readBrand(tx);
  if (!isExpected(before)) {
    // RFC 9110 13.1.1: what has been done already succeeds.
    if (isDone(change, before)) return before;
    throw failure('precondition_failed');
  }
  const hasLogo = logo === undefined ? before.logo !== undefined : logo !== null;
  if (darkLogo && !hasLogo)
    throw fieldError('dark_logo', 'required', 'needs a logo for light pages');
  for (const image of [logo, darkLogo]) if (image) await storeLogo(tx, image);
  await queryNamed(tx, PUT, {
    name: change.name ?? null,
    accent: change.accent ?? null,
    logo_hash: logo?.hash ?? null,
    dark_logo_hash: darkLogo?.hash ?? null,
    keeps_logo: logo === undefined,
    keeps_dark_logo: darkLogo === undefined,
    support_url: change.supportUrl ?? null,
    sign_in_texts: JSON.stringify(change.signInTexts),
    mail_footers: JSON.stringify(change.mailFooters),
    mail_sender_name: change.mailSenderName ?? null,
    mail_sender_address: change.mailSenderAddress ?? null,
    now: clock.now(),
  });
  await deleteOldLogos(tx);
  announce(tx, BRAND_CHANGED);
  return readBrand(tx);
}
