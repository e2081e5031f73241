/** The brand: what people know the network by. What is not set is as the configuration has it. */
import { type Db, queryNamed } from '../db/index.ts';
import type { Language } from '../lib/language.ts';
import type { RasterImage } from '../lib/raster-image.ts';
import { SERVICE_NAME } from '../lib/service-name.ts';

/** An image, where this service serves it. */
export interface BrandLogo {
  readonly hash: string;
  readonly mediaType: RasterImage['mediaType'];
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export type TextByLanguage = Readonly<Partial<Record<Language, string>>>;

/** What operators set; absent: the default. */
export interface Brand {
  readonly name?: string;
  /** sRGB, `#rrggbb` in lower case. */
  readonly accent?: string;
  readonly logo?: BrandLogo;
  /** On dark pages; absent: `logo` on a light plate. */
  readonly darkLogo?: BrandLogo;
  /** `https:` or `mailto:`. */
  readonly supportUrl?: string;
  readonly signInTexts: TextByLanguage;
  readonly mailFooters: TextByLanguage;
  readonly mailSenderName?: string;
  readonly mailSenderAddress?: string;
  /** Absent: nothing was ever set. */
  readonly updatedAt?: Date;
}

export const DEFAULT_BRAND: Brand = { signInTexts: {}, mailFooters: {} };

/** What the network is called. */
export const nameOf = ({ name = SERVICE_NAME }: Brand): string => name;

/** In this language, or in English. */
export function textIn(texts: TextByLanguage, language: Language): string | undefined {
  return texts[language] ?? texts.en;
}

interface BrandRow {
  name: string | null;
  accent: string | null;
  logo: BrandLogo | null;
  dark_logo: BrandLogo | null;
  support_url: string | null;
  sign_in_texts: TextByLanguage;
  mail_footers: TextByLanguage;
  mail_sender_name: string | null;
  mail_sender_address: string | null;
  updated_at: Date;
}

const toBrand = (row: BrandRow): Brand => ({
  ...(row.name !== null && { name: row.name }),
  ...(row.accent !== null && { accent: row.accent }),
  ...(row.logo !== null && { logo: row.logo }),
  ...(row.dark_logo !== null && { darkLogo: row.dark_logo }),
  ...(row.support_url !== null && { supportUrl: row.support_url }),
  signInTexts: row.sign_in_texts,
  mailFooters: row.mail_footers,
  ...(row.mail_sender_name !== null && { mailSenderName: row.mail_sender_name }),
  ...(row.mail_sender_address !== null && { mailSenderAddress: row.mail_sender_address }),
  updatedAt: row.updated_at,
});

const selectLogo = (column: string): string =>
  `(select jsonb_build_object('hash', l.hash, 'mediaType', l.media_type, 'width', l.width,
       'height', l.height) from brand_logo l where l.hash = b.${column})`;

const SELECT_BRAND = `select b.name, b.accent, b.support_url, b.sign_in_texts, b.mail_footers,
     b.mail_sender_name, b.mail_sender_address, b.updated_at,
     ${selectLogo('logo_hash')} as logo, ${selectLogo('dark_logo_hash')} as dark_logo
   from brand b`;

export async function readBrand(db: Db): Promise<Brand> {
  const { rows } = await queryNamed<BrandRow>(db, SELECT_BRAND, {});
  const [row] = rows;
  return row ? toBrand(row) : DEFAULT_BRAND;
}
