/** Moving in and leaving: files of other systems, and files for them. */
export {
  type ExportedFile,
  type ExportFormat,
  type ExportOptions,
  runExport,
} from './run-export.ts';
export { type ImportDeps, type ImportOptions, type ImportResult, runImport } from './run-import.ts';
export { type ImportReport, verifyImports } from './verify-imports.ts';
