/** Coded messages on the wire: the sentence, its code and its values, in three fields. */
import Type from 'typebox';
import { type CodedMessage, FREE_TEXT, type MessageSet } from '../lib/coded-messages.ts';

/** Schema of the code of the message whose sentence is in `field`. */
export function MessageCode(field: string, codes: readonly string[]) {
  const list = codes.join(', ');
  return Type.Optional(
    Type.String({
      description:
        `Stable code of \`${field}\`, absent where an operator wrote the text. ` +
        `More may be added: ${list}.`,
    }),
  );
}

/** Schema of the values of the message whose sentence is in `field`. */
export function MessageValues(field: string) {
  return Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        `Values in \`${field}\` by name: numbers, currencies and the like; ` +
        'absent without any.',
    }),
  );
}

type MessageFields<Name extends string> = { [Field in Name]: string } & {
  [Field in `${Name}_code`]?: string;
} & { [Field in `${Name}_values`]?: Record<string, string> };

/** The fields of a message; free text has neither code nor values. */
export function messageFields<Name extends string>(
  name: Name,
  messages: Pick<MessageSet<Readonly<Record<string, string>>>, 'format'>,
  message: CodedMessage,
): MessageFields<Name> {
  const { code, values } = message;
  const isCoded = code !== FREE_TEXT;
  return {
    [name]: messages.format(message),
    ...(isCoded && { [`${name}_code`]: code }),
    ...(isCoded && Object.keys(values).length > 0 && { [`${name}_values`]: values }),
  } as MessageFields<Name>;
}
