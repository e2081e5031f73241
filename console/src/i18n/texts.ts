/** The type of the texts, and that of their translations. */
import type * as consoleTexts from './en/console.ts';
import type * as entryTexts from './en/sign-in.ts';

export type EntryTexts = typeof entryTexts;
export type ConsoleTexts = typeof consoleTexts;
/** Every text of the application, by namespace. */
export type Texts = EntryTexts & ConsoleTexts;

type OtherPlural = 'zero' | 'one' | 'two' | 'few' | 'many';

/**
 * The same texts in another language. Of a text that counts it has the plural forms of its own,
 * which are `other` and perhaps more: `catalogues.test.ts` knows which.
 */
export type Translation<Original> = {
  readonly [Key in keyof Original as Key extends `${string}_one`
    ? never
    : Key]: Original[Key] extends string ? string : Translation<Original[Key]>;
} & {
  readonly [Key in keyof Original as Key extends `${infer Stem}_one`
    ? `${Stem}_${OtherPlural}`
    : never]?: string;
};
