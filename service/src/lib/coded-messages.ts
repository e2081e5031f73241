/**
 * Messages of a closed set. A message is stored and sent as a code with its values; the English
 * sentence is made from a template where the message is read, so that a template may change at any
 * time.
 */
export interface CodedMessage {
  readonly code: string;
  readonly values: Readonly<Record<string, string>>;
}

type ValueName<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValueName<Rest>
  : never;

export interface MessageSet<Texts extends Readonly<Record<string, string>>> {
  /** The template of each code, with values as `{name}`. */
  readonly texts: Texts;
  create<Code extends keyof Texts & string>(
    code: Code,
    ...values: ValueName<Texts[Code]> extends never
      ? []
      : [Readonly<Record<ValueName<Texts[Code]>, string | number>>]
  ): CodedMessage;
  /** The sentence of a message. A code that this version does not know stands for itself. */
  format(message: CodedMessage): string;
}

/** Code of a message whose only value, `text`, is written by an operator or an endpoint. */
export const FREE_TEXT = 'free_text';

export function createFreeText(text: string): CodedMessage {
  return { code: FREE_TEXT, values: { text } };
}

export function createMessages<const Texts extends Readonly<Record<string, string>>>(
  texts: Texts,
): MessageSet<Texts> {
  const templates = new Map(Object.entries({ ...texts, [FREE_TEXT]: '{text}' }));
  return {
    texts,
    create(code, ...[values = {}]) {
      const named = Object.entries<string | number>(values);
      return { code, values: Object.fromEntries(named.map(([name, value]) => [name, `${value}`])) };
    },
    format({ code, values }) {
      const template = templates.get(code) ?? code;
      return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
    },
  };
}

/** The two columns of a message: its code, and its values as the text of a JSON object. */
export function toColumns(message: CodedMessage | undefined): {
  code: string | null;
  values: string | null;
} {
  return { code: message?.code ?? null, values: message ? JSON.stringify(message.values) : null };
}

/** A message as its two columns hold it. */
export function fromColumns(
  code: string | null,
  values: CodedMessage['values'] | null,
): CodedMessage | undefined {
  return code === null ? undefined : { code, values: values ?? {} };
}
