/** Moving in and leaving: files of other systems, and files for them. */
export { runExport } from './run-export.ts';
export { type ImportResult, removeStaging, runImport } from './run-import.ts';
export { verifyImports } from './verify-imports.ts';
