import type { en } from './en.ts';

type Translation<Original> = {
  readonly [Key in keyof Original]: Original[Key] extends readonly string[]
    ? readonly string[]
    : Original[Key] extends 'ltr' | 'rtl'
      ? 'ltr' | 'rtl'
      : Original[Key] extends string
        ? string
        : Translation<Original[Key]>;
};

/** Every text, as each language has it. */
export type Texts = Translation<typeof en>;
