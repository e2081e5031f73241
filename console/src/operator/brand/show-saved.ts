/** The page of the operator who has saved the brand takes it up, as others do when they load it. */
import { toPageRule } from '@edge-account/sdk/accent';
import { changeBrand } from '../../theme/brand.ts';
import type { BrandSettings } from './queries.ts';

const sheet = new CSSStyleSheet();

export function showSaved({ accent, name, default_name, ...saved }: BrandSettings): void {
  const { logo, dark_logo, support_url, sign_in_text } = saved;
  // What the document came with is that of before.
  document.querySelector('style[data-brand]')?.remove();
  sheet.replaceSync(accent === undefined ? '' : toPageRule(accent));
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
  changeBrand({
    name: name ?? default_name,
    ...(logo && { logo }),
    ...(dark_logo && { dark_logo }),
    ...(support_url !== undefined && { support_url }),
    sign_in_text,
  });
}
