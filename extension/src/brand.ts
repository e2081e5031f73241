/** Name, logo and accent of the network, in the popup: first as last seen, then as they are. */
import type { ResponseBody } from '@edge-account/sdk';
import { toPageRule } from '@edge-account/sdk/accent';
import { SERVICE_URL } from './constants.ts';

type Brand = ResponseBody<'/brand', 'get'>;
const KEY = 'brand';
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

/** Without one, the mark of the service stays. */
function showLogo({ logo, dark_logo: dark }: Brand): void {
  const { picture, image, source, mark } = findParts();
  picture.hidden = logo === undefined;
  mark.toggleAttribute('hidden', logo !== undefined);
  if (!logo) return;
  // One that is drawn for light pages has a light plate on dark ones.
  picture.classList.toggle('plate', !dark);
  source.srcset = `${SERVICE_URL}${(dark ?? logo).path}`;
  image.src = `${SERVICE_URL}${logo.path}`;
}

function findParts() {
  const find = <T extends Element>(selector: string): T => {
    const found = document.querySelector<T>(selector);
    if (!found) throw new Error(`the popup has no ${selector}`);
    return found;
  };
  return {
    title: find<HTMLElement>('#title'),
    mark: find<SVGElement>('header svg'),
    picture: find<HTMLPictureElement>('#logo'),
    source: find<HTMLSourceElement>('#logo source'),
    image: find<HTMLImageElement>('#logo img'),
  };
}

function show(brand: Brand): void {
  document.title = brand.name;
  findParts().title.textContent = brand.name;
  sheet.replaceSync(brand.accent === undefined ? '' : toPageRule(brand.accent));
  showLogo(brand);
}

/** Without an answer the popup stays as it was last seen, or as its manifest names it. */
export async function showBrand(): Promise<void> {
  const { [KEY]: stored } = await chrome.storage.local.get(KEY);
  if (stored) show(stored as Brand);
  const answer = await fetch(`${SERVICE_URL}/brand`);
  if (!answer.ok) return;
  const brand = (await answer.json()) as Brand;
  await chrome.storage.local.set({ [KEY]: brand });
  show(brand);
}
