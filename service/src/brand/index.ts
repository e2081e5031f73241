/** The brand door. */
export { type Brand, nameOf, textIn } from './brand.ts';
export { type CurrentBrand, createCurrentBrand } from './current-brand.ts';
export { decoratePage } from './decorate-page.ts';
export { senderOf } from './mail-sender.ts';
export { toPageLook } from './page-look.ts';
export { registerBrand } from './routes.ts';
