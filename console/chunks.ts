/**
 * Which files the console's scripts are in, and which of them a browser asks for with the document:
 * else each wave of downloads would wait until the scripts of the one before have run.
 */
import { join } from 'node:path';
import type { IndexHtmlTransformContext, Plugin, Rolldown } from 'vite';
import { LANGUAGE_KEY } from './src/i18n/find-language.ts';
import { LANGUAGES } from './src/i18n/languages.ts';
import { SIGNED_IN_KEY } from './src/session/session-hint.ts';

const START = 'console.tsx';
const SIGN_IN = 'sign-in/in-place-sign-in.tsx';
/** What stands around each page is in one file with the home page, the first of nearly all. */
const PAGES = ['app/signed-in.tsx', 'home/home-page.tsx'];

/** Modules and what they import, without what they load later. */
function findImports(modules: readonly string[], context: Rolldown.ChunkingContext): Set<string> {
  const ids = new Set(modules.map((module) => join(import.meta.dirname, 'src', module)));
  for (const id of ids)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) ids.add(imported);
  return ids;
}

type IsIn = (id: string, context: Rolldown.ChunkingContext) => boolean;

function isImportedBy(...modules: readonly string[]): IsIn {
  let ids: Set<string> | undefined;
  return (id, context) => {
    ids ??= findImports(modules, context);
    return ids.has(id);
  };
}

/**
 * Three files: what both a signed-out and a signed-in person need, and what each needs next. Files
 * of one component each would wait for one another on the connections of a browser.
 */
export function createChunkGroups() {
  const isOfStart = isImportedBy(START);
  const isOfSignIn = isImportedBy(SIGN_IN);
  const isOfPages = isImportedBy(...PAGES);
  const isShared: IsIn = (...module) =>
    isOfStart(...module) || (isOfSignIn(...module) && isOfPages(...module));
  const groups = { start: isShared, 'sign-in': isOfSignIn, home: isOfPages };
  // What a group imports is in the same file, unless a group before it has it.
  return Object.entries(groups).map(([name, isIn], i, all) => ({
    name: (id: string, context: Rolldown.ChunkingContext) => (isIn(id, context) ? name : null),
    priority: all.length - i,
  }));
}

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;

/** The file that a module is in, and the files of what it imports. */
function listFiles(bundle: Bundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const path = join(import.meta.dirname, 'src', module);
  const files = new Set<string>();
  const add = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || files.has(`/${chunk.fileName}`)) return;
    files.add(`/${chunk.fileName}`);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(`/${style}`);
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
  };
  add(chunks.find(({ moduleIds }) => moduleIds.includes(path)));
  if (files.size === 0) throw new Error(`${module} is in no chunk`);
  return [...files];
}

interface NextFiles {
  readonly signIn: readonly string[];
  readonly pages: readonly string[];
  /** By the first part of a language's tag. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

/** Runs in the browser. A language that is guessed wrong costs one download. */
const writeScript = ({ signIn, pages, texts }: NextFiles): string => `
try {
  const texts = ${JSON.stringify(texts)};
  const language = [localStorage.getItem('${LANGUAGE_KEY}') ?? '', ...navigator.languages]
    .map((tag) => tag.split('-', 1)[0].toLowerCase())
    .find((tag) => tag in texts) ?? 'en';
  const files = localStorage.getItem('${SIGNED_IN_KEY}') === null
    ? ${JSON.stringify(signIn)}
    : [...${JSON.stringify(pages)}, ...texts[language]];
  for (const href of files) {
    const link = document.createElement('link');
    const kind = href.endsWith('.css') ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' };
    const { nonce } = document.currentScript;
    document.head.append(Object.assign(link, kind, { crossOrigin: '', nonce, href }));
  }
} catch {}
`;

/** Adds the script that asks for the next files. */
export function preloadChunks(): Plugin {
  return {
    name: 'preload-chunks',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return;
        // The document itself asks for the others.
        const filesOf = (...modules: string[]): string[] => [
          ...new Set(
            modules
              .flatMap((module) => listFiles(bundle, module))
              .filter((file) => !html.includes(`"${file}"`)),
          ),
        ];
        const pages = filesOf(...PAGES);
        const texts = Object.keys(LANGUAGES).map((tag) => {
          const language = tag.split('-', 1)[0] ?? tag;
          const files = filesOf(`i18n/${language}/console.ts`);
          return [language, files.filter((file) => !pages.includes(file))] as const;
        });
        const files = { signIn: filesOf(SIGN_IN), pages, texts: Object.fromEntries(texts) };
        return [{ tag: 'script', children: writeScript(files), injectTo: 'head' }];
      },
    },
  };
}
