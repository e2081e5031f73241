/**
 * Part of `npm ci`: bundles the libraries that write statements into one file, with a file of their
 * licences beside it.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = new URL('../', import.meta.url);
const pathOf = (path: string): string => fileURLToPath(new URL(path, root));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** The folder of the package that a module of `node_modules` belongs to. */
function folderOf(id: string): string[] {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
  return folder === undefined ? [] : [folder];
}

/** Name, version and licence of a package, with the text of the licence if it has one. */
function describeLicence(folder: string): string {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version, license = 'MIT' } = JSON.parse(manifest) as Manifest;
  const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder });
  const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
  return `${name} ${version} (${license})${text}\n`;
}

const bundle = await rolldown({
  input: pathOf('service/src/wallets/statement/pdf-library.ts'),
  platform: 'node',
  logLevel: 'warn',
});
const { output } = await bundle.write({
  file: pathOf('service/dist/pdf-library.mjs'),
  format: 'esm',
  codeSplitting: false,
  minify: true,
});
await bundle.close();
const folders = new Set(output[0].moduleIds.flatMap(folderOf));
const licences = [...folders].toSorted().map(describeLicence).join('\n');
writeFileSync(pathOf('service/dist/pdf-library-licenses.txt'), licences);
