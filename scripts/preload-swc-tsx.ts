/**
 * Preloaded into dependency-cruiser, whose swc parser refuses JSX: enables JSX in swc by file name.
 * It must run before the first import of `@swc/core`, hence `require`.
 */
import { createRequire } from 'node:module';

interface Swc {
  parseFileSync(path: string, options: object): unknown;
}

const swc = createRequire(import.meta.url)('@swc/core') as Swc;
const parse = swc.parseFileSync.bind(swc);
swc.parseFileSync = (path, options) => parse(path, { ...options, tsx: path.endsWith('.tsx') });
