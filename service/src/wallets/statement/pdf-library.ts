/**
 * The libraries of statements. `npm run prepare` bundles them into one file
 * (`scripts/build-pdf-library.ts`): installed as packages they take 25 MB, of which nearly nothing
 * is used. They are loaded with the first statement.
 */
export { create } from 'fontkit';
export { default as PDFDocument } from 'pdfkit';
