/** The drills: one file each in `drills/entries/`. */
import { readdirSync } from 'node:fs';
import type { Drill } from './drill.ts';

const FOLDER = new URL('../entries/', import.meta.url);

export const DRILL_NAMES: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

export async function loadDrill(name: string): Promise<Drill> {
  const module = (await import(new URL(`${name}.ts`, FOLDER).href)) as { default: Drill };
  return module.default;
}
