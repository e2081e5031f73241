/**
 * The order of test files: the longest first, so that no long file runs alone at the end.
 */
import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { durationsFile } from './durations.ts';

/**
 * Groups the files of a project: a worker is reused for files of the same project only.
 */
const PROJECTS = ['browser', 'engine', 'unit'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = JSON.parse(readFileSync(durationsFile, 'utf8')) as Record<string, number>;
    // An unmeasured file may be long.
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      Object.entries(known).find(([path]) => moduleId.endsWith(`/${path}`))?.[1] ??
      Number.POSITIVE_INFINITY;
    const placeOf = ({ project }: TestSpecification): number => PROJECTS.indexOf(project.name);
    const ranked = files.map((file) => ({ file, place: placeOf(file), seconds: secondsOf(file) }));
    ranked.sort(
      (one, other) =>
        one.place - other.place ||
        (one.seconds === other.seconds ? 0 : other.seconds - one.seconds),
    );
    return ranked.map(({ file }) => file);
  }
}
