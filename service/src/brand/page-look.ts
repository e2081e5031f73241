/** What the pages that the service shows itself have of the brand. */
import type { PageLook } from '../http/index.ts';
import { type Brand, nameOf } from './brand.ts';
import { toLogoRecord } from './decorate-page.ts';

export function toPageLook(brand: Brand): PageLook {
  const { accent, logo, darkLogo } = brand;
  return {
    name: nameOf(brand),
    ...(accent !== undefined && { accent }),
    ...(logo && { logo: toLogoRecord(logo) }),
    ...(darkLogo && { darkLogo: toLogoRecord(darkLogo) }),
  };
}
