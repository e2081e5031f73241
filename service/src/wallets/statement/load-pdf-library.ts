/** Loads the bundle of `pdf-library.ts`. */
import { failure } from '../../lib/failures.ts';

export type PdfLibrary = typeof import('./pdf-library.ts');

const BUNDLE = new URL('../../../dist/pdf-library.mjs', import.meta.url).href;

/** @throws `unavailable` where it was not built */
export async function loadPdfLibrary(): Promise<PdfLibrary> {
  try {
    return (await import(BUNDLE)) as PdfLibrary;
  } catch (cause) {
    throw failure('unavailable', {
      detail: 'Statements are not built: run "npm run prepare".',
      cause,
    });
  }
}
