/**
 * Writes the brand into a page of the console, so that its first paint has it: a style sheet after
 * the others, and a meta element that the script reads.
 */
import { toPageRule } from '@edge-account/sdk/accent';
import { type Brand, type BrandLogo, nameOf } from './brand.ts';
import { toLogoPath } from './logo-store.ts';
import { appIconOf } from './manifest.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char);

export function toLogoRecord({ hash, width, height }: BrandLogo): {
  path: string;
  width: number;
  height: number;
} {
  return { path: toLogoPath(hash), width, height };
}

/** What pages and other programs get in the same shape. */
export function toShownRecord(brand: Brand) {
  return {
    ...(brand.logo && { logo: toLogoRecord(brand.logo) }),
    ...(brand.darkLogo && { dark_logo: toLogoRecord(brand.darkLogo) }),
    ...(brand.supportUrl !== undefined && { support_url: brand.supportUrl }),
    sign_in_text: brand.signInTexts,
  };
}

/** @param nonce of the Content-Security-Policy of this answer */
export function decoratePage(brand: Brand, page: string, nonce: string): string {
  if (brand.updatedAt === undefined) return page;
  const { logo, accent } = brand;
  const appIcon = appIconOf(brand);
  const name = nameOf(brand);
  const record = JSON.stringify({ name, ...toShownRecord(brand) });
  const head = [
    `<meta name="edge-brand" content="${escapeHtml(record)}">`,
    ...(accent === undefined
      ? []
      : [`<style nonce="${nonce}" data-brand>${toPageRule(accent)}</style>`]),
  ].join('');
  // Functions: a `$` in a text stands for itself.
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(name)}</title>`)
    .replace(/<link rel="icon"[^>]*>/, (icon) =>
      logo ? `<link rel="icon" href="${toLogoPath(logo.hash)}">` : icon,
    )
    .replace(/<link rel="apple-touch-icon"[^>]*>/, (icon) =>
      appIcon ? `<link rel="apple-touch-icon" href="${toLogoPath(appIcon.hash)}">` : icon,
    )
    .replace('</head>', () => `${head}</head>`);
}
