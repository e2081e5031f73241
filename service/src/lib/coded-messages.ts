/**
 * Sentences of a closed set, each with a code. Values stand in them as `{name}`. What is stored is the sentence; it is
 * read back into its code and values for whoever says it in other words or another language, those of before included:
 * so a sentence that was ever stored must not change.
 */
export interface CodedMessage<Code extends string = string> {
  readonly code: Code;
  readonly values: Readonly<Record<string, string>>;
}

type ValueName<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValueName<Rest>
  : never;

export interface Sentences<Texts extends Readonly<Record<string, string>>> {
  readonly texts: Texts;
  say<Code extends keyof Texts & string>(
    code: Code,
    ...values: ValueName<Texts[Code]> extends never
      ? []
      : [Readonly<Record<ValueName<Texts[Code]>, string | number>>]
  ): string;
  /** Undefined for words of somebody's own. */
  read(sentence: string): CodedMessage<keyof Texts & string> | undefined;
}

const VALUE = /\{(\w+)\}/;
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** Every second part is the name of a value. */
function toPattern(text: string): RegExp {
  const parts = text
    .split(VALUE)
    .map((part, at) => (at % 2 === 1 ? `(?<${part}>.+)` : part.replaceAll(SPECIAL, '\\$&')));
  return new RegExp(`^${parts.join('')}$`, 's');
}

export function createMessages<const Texts extends Readonly<Record<string, string>>>(
  texts: Texts,
): Sentences<Texts> {
  const patterns = Object.entries(texts).map(([code, text]) => [code, toPattern(text)] as const);
  return {
    texts,
    say(code, ...[values]) {
      const known: Readonly<Record<string, string | number>> = values ?? {};
      return (
        texts[code]
          ?.split(VALUE)
          .map((part, at) => (at % 2 === 1 ? String(known[part]) : part))
          .join('') ?? ''
      );
    },
    read(sentence) {
      for (const [code, pattern] of patterns) {
        const found = pattern.exec(sentence);
        if (found) return { code, values: { ...found.groups } };
      }
      return undefined;
    },
  };
}
