/** Reads a Dockerfile, so that its own steps are run where no Docker is. */

export type Step =
  /** A line for `/bin/sh -c`. */
  | { readonly kind: 'run'; readonly line: string }
  | {
      readonly kind: 'copy';
      /** The stage that the files come from; without one the folder of the Dockerfile. */
      readonly from?: string;
      readonly sources: readonly string[];
      readonly target: string;
    }
  | { readonly kind: 'workdir'; readonly folder: string }
  | { readonly kind: 'user'; readonly name: string }
  | { readonly kind: 'env'; readonly values: Readonly<Record<string, string>> };

export interface Stage {
  readonly base: string;
  readonly name?: string;
  readonly steps: readonly Step[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck?: readonly string[];
  readonly stopSignal: string;
}

type Draft = { -readonly [K in keyof Stage]: Stage[K] } & { steps: Step[] };

/** Instructions, one a line: comments are left out, continued lines are joined. */
const readInstructions = (text: string): string[] =>
  text
    .replaceAll(/^\s*#.*\n?/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');

const readWords = (words: string): string[] => JSON.parse(words) as string[];

/** @throws on quotes and variables, which no file of this repository needs */
function readPlain(rest: string): string[] {
  if (/["'$]/.test(rest)) throw new Error(`not a plain list of words: ${rest}`);
  return rest.split(/\s+/);
}

function readEnv(rest: string): Record<string, string> {
  const pairs = readPlain(rest).map((pair) => {
    const [, name, value] = /^(\w+)=(.+)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) throw new Error(`not NAME=value: ${pair}`);
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}

function readCopy(rest: string): Step {
  const [, from, paths = ''] = /^(?:--from=(\S+)\s+)?(.+)$/.exec(rest) ?? [];
  const words = readPlain(paths);
  const target = words.pop() ?? '';
  if (words.length === 0 || words.some((word) => word.startsWith('--')))
    throw new Error(`a COPY that is not known here: ${rest}`);
  return { kind: 'copy', ...(from !== undefined && { from }), sources: words, target };
}

/** What each instruction does to the stage; one that is not here is refused. */
const INSTRUCTIONS: Readonly<Record<string, (stage: Draft, rest: string) => void>> = {
  RUN: ({ steps }, line) => steps.push({ kind: 'run', line }),
  COPY: ({ steps }, rest) => steps.push(readCopy(rest)),
  WORKDIR: ({ steps }, folder) => steps.push({ kind: 'workdir', folder }),
  USER: ({ steps }, name) => steps.push({ kind: 'user', name }),
  ENV: ({ steps }, rest) => steps.push({ kind: 'env', values: readEnv(rest) }),
  // It only describes the image.
  EXPOSE: (_, rest) => void readPlain(rest),
  STOPSIGNAL: (stage, signal) => {
    stage.stopSignal = signal;
  },
  HEALTHCHECK: (stage, rest) => {
    stage.healthcheck = readWords(rest.replace(/^(--\S+\s+)*CMD\s+/, ''));
  },
  ENTRYPOINT: (stage, rest) => {
    stage.entrypoint = readWords(rest);
  },
  CMD: (stage, rest) => {
    stage.command = readWords(rest);
  },
};

function openStage(rest: string): Draft {
  const [, base, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
  if (base === undefined) throw new Error(`a FROM that is not known here: ${rest}`);
  const named = name !== undefined && { name };
  return { base, ...named, steps: [], entrypoint: [], command: [], stopSignal: 'SIGTERM' };
}

/** @throws on an instruction that is not known here, so that none is left out */
export function readDockerfile(text: string): readonly Stage[] {
  const stages: Draft[] = [];
  for (const line of readInstructions(text)) {
    const [, word = '', rest = ''] = /^(\S+)\s+(.+)$/.exec(line.trim()) ?? [];
    const stage = stages.at(-1);
    if (word === 'FROM') stages.push(openStage(rest));
    else if (stage === undefined || INSTRUCTIONS[word] === undefined)
      throw new Error(`not known here: ${line}`);
    else INSTRUCTIONS[word](stage, rest);
  }
  return stages;
}
