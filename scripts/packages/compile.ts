/** Compiles TypeScript to what a package contains: Node.js does not strip types in packages. */
import { execFile } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** Relative imports keep the extension of the sources in declarations. */
function renameImports(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/((?:from |import\()["']\.[^"']*)\.ts(["'])/g, '$1.js$2'));
}

/** Compiles a project by the settings of its file, with declarations, into `target`. */
export async function compileProject(settings: string, target: string): Promise<void> {
  const args = [TSC, '-p', join(ROOT, settings), '--outDir', target];
  await promisify(execFile)(process.execPath, args);
  for (const file of globSync('**/*.d.ts', { cwd: target })) renameImports(join(target, file));
}

/**
 * Compiles the modules of a program, each to a file of its own at the path of its source: files
 * that they read are found where they are in the repository. Installed packages are not included.
 */
export async function compileProgram(inputs: readonly string[], target: string): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: [...inputs],
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && !id.startsWith('@edge-account/sdk'),
    logLevel: 'warn',
  });
  await bundle.write({
    dir: target,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: ROOT,
    entryFileNames: '[name].js',
  });
  await bundle.close();
}

/** Copies files of the repository to the same paths in `target`. */
export function copyFiles(patterns: readonly string[], target: string): void {
  for (const path of globSync([...patterns], { cwd: ROOT, withFileTypes: true })) {
    if (!path.isFile()) continue;
    const file = join(path.parentPath, path.name);
    const copy = join(target, file.slice(ROOT.length));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
  }
}
