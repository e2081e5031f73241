/** Sentences of ours on the wire: in words, and as a code with its values for whoever says it otherwise. */
import Type from 'typebox';
import type { CodedMessage } from '../lib/coded-messages.ts';

/** The code behind a sentence in the field before it. */
export function SayingCode(sentence: string, codes: readonly string[]) {
  return Type.Optional(
    Type.String({
      description: `Stable code of what \`${sentence}\` says, absent for words of somebody's own. More may come: ${codes.join(', ')}.`,
    }),
  );
}

export function SayingValues(sentence: string) {
  return Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: `What \`${sentence}\` names, by name: numbers, currencies and the like; absent without any.`,
    }),
  );
}

type Fields<Name extends string> = { [Field in `${Name}_code`]?: string } & {
  [Field in `${Name}_values`]?: Record<string, string>;
};

/** The two fields beside a sentence, for what was read back from it. */
export function messageFields<Name extends string>(
  sentence: Name,
  saying: CodedMessage | undefined,
): Fields<Name> {
  if (!saying) return {} as Fields<Name>;
  const { code, values } = saying;
  return {
    [`${sentence}_code`]: code,
    ...(Object.keys(values).length > 0 && { [`${sentence}_values`]: values }),
  } as Fields<Name>;
}
